// SPDX-License-Identifier: Apache-2.0
// A kernel that never asks for its group runs over many groups at once, and takes no chunks itself:
// who takes the chunks calls it for rows (compiler/runtime/dispatch.h).
// RUN: %cc %s --emit=spmd -rvl-vectorize=off | FileCheck %s
// CHECK-LABEL: @scale(ptr {{.*}}%record, ptr {{.*}}%words, ptr {{.*}}%frame,
// CHECK-SAME: %run, {{.*}} %rows) {{.*}} prefix i32 1
// CHECK-NOT: atomicrmw
// Rows that are alike need no loops of their own, whatever they differ in.
// CHECK-NOT: {{^}}{{[yz]}}:
// CHECK: {{^}}again:
// CHECK-NOT: {{^}}{{[yz]}}:
kernel void scale(global float *a, float by) { a[get_global_id(0)] *= by; }

// CHECK-LABEL: @scale_rows(
// CHECK-SAME: %x, {{.*}} %end_x, {{.*}} %y, {{.*}} %end_y, {{.*}} %z) {{.*}} prefix i32 2
// CHECK-NOT: {{^}}z:
// CHECK: {{^}}y{{[0-9]*}}:
kernel void scale_rows(global float *a, float by, uint pitch) {
    a[get_global_id(1) * pitch + get_global_id(0)] *= by;
}

// Rows of a group that are alike need no second loop, either.
// CHECK-LABEL: @rows_of_group(ptr {{.*}}%record, ptr {{.*}}%words, ptr {{.*}}%frame) {{.*}} prefix i32 0
// CHECK: atomicrmw add ptr %words
// CHECK-NOT: {{^}}z:
// CHECK: load volatile i32
// CHECK-NOT: {{^}}z:
// CHECK-COUNT-2: {{^}}y{{[0-9]*}}:
kernel void rows_of_group(global float *a, local float *b) {
    uint l = get_local_id(0);
    b[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = b[l ^ 1];
}
