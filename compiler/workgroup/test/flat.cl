// SPDX-License-Identifier: Apache-2.0
// A kernel that never asks for its group runs over all work-items of a chunk at once.
// RUN: %cc %s --emit=spmd -rvl-vectorize=off | FileCheck %s
// CHECK-LABEL: @scale(ptr {{.*}}%record, ptr {{.*}}%words, ptr {{.*}}%frame)
// CHECK: atomicrmw add ptr %words
// CHECK: run:
// CHECK: load volatile i32
// Rows that are alike are one loop, whatever they differ in.
// CHECK-NOT: {{^}}z:
// CHECK: {{^}}y:
kernel void scale(global float *a, float by) { a[get_global_id(0)] *= by; }

// CHECK-LABEL: @scale_rows(
// CHECK: {{^}}z:
// CHECK: {{^}}y:
kernel void scale_rows(global float *a, float by, uint pitch) {
    a[get_global_id(1) * pitch + get_global_id(0)] *= by;
}
