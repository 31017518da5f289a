// SPDX-License-Identifier: Apache-2.0
// Which form an access takes: contiguous, strided, or by index, with indices of 32 bits.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @contiguous(
// CHECK-NOT: gather
// CHECK: call <vscale x [[N:[0-9]+]] x i32> @llvm.vp.load
// CHECK: call void @llvm.vp.store
kernel void contiguous(global const uint *a, global uint *b) {
    uint i = get_global_id(0);
    b[i] = a[i + 1];
}
// CHECK-LABEL: @strided(
// CHECK: llvm.experimental.vp.strided.load.{{.*}}i64 12,
// CHECK: llvm.experimental.vp.strided.store
kernel void strided(global const float *a, global float *b, uint pitch) {
    uint i = get_global_id(0);
    b[i * pitch] = a[i * 3];
}
// CHECK-LABEL: @indexed(
// CHECK: zext <vscale x [[N:[0-9]+]] x i32> %{{.*}} to <vscale x [[N]] x i64>
// CHECK: llvm.vp.gather
kernel void indexed(global const uint *a, global const uint *at, global uint *b) {
    uint i = get_global_id(0);
    b[i] = a[at[i]];
}
// An int as index may be below zero, but not in lanes that run.
// CHECK-LABEL: @neighbours(
// CHECK-NOT: gather
// CHECK-COUNT-3: llvm.vp.load
// CHECK-NOT: gather
kernel void neighbours(global const float *a, global float *b) {
    int i = get_global_id(0);
    b[i] = a[i - 1] + a[i] + a[i + 1];
}
