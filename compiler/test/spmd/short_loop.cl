// SPDX-License-Identifier: Apache-2.0
// Short loops of known length are taken apart first: a private array becomes values. Long ones
// aren't.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @sums(
// CHECK-NOT: alloca
// CHECK-LABEL: @long_array(
// CHECK: alloca
kernel void sums(global uint *a) {
    uint i = get_global_id(0), mine[8];
    for (int k = 0; k < 8; ++k)
        mine[k] = a[i * 8 + k];
    for (int k = 1; k < 8; ++k)
        mine[k] += mine[k - 1];
    for (int k = 0; k < 8; ++k)
        a[i * 8 + k] = mine[k];
}
kernel void long_array(global uint *a, uint n) {
    uint mine[4096];
    for (int k = 0; k < 4096; ++k)
        mine[k] = k * n;
    a[get_global_id(0)] = mine[n & 4095];
}
// A loop of unknown length with a small body is unrolled eight times.
// CHECK-LABEL: @small(
// CHECK: !"llvm.loop.unroll.count", i32 8
kernel void small(global const float *a, global float *b, int n) {
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[k] * b[i];
    b[i] = sum;
}
