// SPDX-License-Identifier: Apache-2.0
// Lanes that update one address do so by one update; others are scalarised, without the inactive
// ones.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @one_place(
// CHECK: [[MOST:%[0-9]+]] = call i32 @llvm.vp.reduce.umax
// CHECK-NEXT: atomicrmw umax ptr addrspace(1) %{{.*}}, i32 [[MOST]]
// CHECK-LABEL: @packed(
// CHECK: call <vscale x {{[0-9]+}} x i32> @llvm.experimental.vector.compress
// CHECK: atomicrmw add
// CHECK-LABEL: @neighbours(
// CHECK-NOT: alloca{{.*}}alloca
// CHECK: atomicrmw add
kernel void one_place(global uint *most, global const uint *a) {
    atomic_max(most, a[get_global_id(0)]);
}
kernel void packed(global uint *counts, global const uint *a) {
    uint i = get_global_id(0);
    if (a[i] & 1)
        atomic_inc(&counts[a[i] >> 8]);
}
kernel void neighbours(global uint *a, global const uint *b) {
    uint i = get_global_id(0);
    atomic_add(&a[i], b[i]);
}
