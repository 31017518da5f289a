// SPDX-License-Identifier: Apache-2.0
// What nothing else wants first is computed where it is wanted: few vectors live at a time.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @difference(
// CHECK: [[A:%.*]] = call <vscale x {{[0-9]+}} x float> @llvm.vp.load
// CHECK-NOT: llvm.vp.load
// CHECK: fmul <vscale x {{[0-9]+}} x float> [[A]],
// CHECK: [[B:%.*]] = call <vscale x {{[0-9]+}} x float> @llvm.vp.load
kernel void difference(global const float *a, global const float *b, global float *c) {
    int i = get_global_id(0);
    float p = a[i], q = b[i];
    c[i] = p * p - q * q;
}
// But not after a write that it may see.
// CHECK-LABEL: @overwritten(
// CHECK: [[A:%.*]] = call <vscale x {{[0-9]+}} x float> @llvm.vp.load
// CHECK: call void @llvm.vp.store
// CHECK-NOT: @llvm.vp.load
// CHECK: call void @llvm.vp.store
kernel void overwritten(global const float *a, global float *b, global float *c) {
    int i = get_global_id(0);
    float p = a[i];
    b[i] = 0;
    c[i] = p;
}
