// SPDX-License-Identifier: Apache-2.0
// A kernel that never asks for its group runs over all work-items of a chunk at once.
// RUN: %cc %s --emit=spmd -rvl-vectorize=off | FileCheck %s
// CHECK-LABEL: @scale(ptr {{.*}}%record, ptr {{.*}}%words, ptr {{.*}}%frame)
// CHECK: atomicrmw add ptr %words
// CHECK: run:
// CHECK: load volatile i32
kernel void scale(global float *a, float by) { a[get_global_id(0)] *= by; }
