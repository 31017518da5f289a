// SPDX-License-Identifier: Apache-2.0
// A value with one user is computed next to it: few vectors are live at a time.
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
// A load doesn't move behind a store that it may alias.
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
// The operand that needs most registers is computed first: a chain starts at its far end, not with
// all of its links.
// RUN: %cc %s --vlen=256 -o %t --stats 2>&1 | FileCheck %s --check-prefix=SPILLS
#define FOUR(u, n, rest)                                                                           \
    (sqrt(u + n) - (sqrt(u + n + 1) - (sqrt(u + n + 2) - (sqrt(u + n + 3) - rest))))
#define CHAIN(u) FOUR(u, 1, FOUR(u, 5, FOUR(u, 9, sqrt(u + 13))))
// SPILLS: kernel chain: {{.*}}LMUL up to 8, {{.*}} 0 vector spills
kernel void chain(global const float *a, global float *b) {
    int i = get_global_id(0);
    float u = a[i];
    b[i] = CHAIN(u);
}
// A loop's condition that needs the result doesn't change that: a branch comes after all other
// uses.
// CHECK-LABEL: @until(
// CHECK: %live{{.*}} = phi
// CHECK-NEXT: fadd {{.*}} splat (float 1.300000e+01)
// CHECK: fcmp
// CHECK-NOT: @llvm.sqrt
// CHECK: br i1
kernel void until(global const float *a, global float *b) {
    int i = get_global_id(0);
    float u = a[i];
    do
        u = CHAIN(u);
    while (u < 100);
    b[i] = u;
}
