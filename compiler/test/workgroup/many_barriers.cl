// SPDX-License-Identifier: Apache-2.0
// LLVM's passes ask what stands before a region of all that stands before it: where there are many,
// every eighth is entered by a switch that they don't foresee.
// RUN: %cc %s --emit=spmd -rvl-vectorize=off | FileCheck %s
// CHECK-LABEL: @steps(
// CHECK: %[[NEXT:.*]] = load volatile i32, ptr %0
// CHECK-NEXT: switch i32 %[[NEXT]]
// CHECK-COUNT-6: i32 {{[0-6]}}, label %
// CHECK: store volatile i32 6,
// CHECK-NOT: store volatile i32 7,
#define STEP t[l] = v; barrier(CLK_LOCAL_MEM_FENCE); v = a[t[l]];
#define TEN STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP
kernel void steps(global uint *a, local uint *t) {
    uint l = get_local_id(0), v = 0;
    TEN TEN TEN TEN TEN
    a[l] = v;
}
