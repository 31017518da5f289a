// SPDX-License-Identifier: Apache-2.0
// Neighbours in y that load the same vectors run together; rows that are left, and kernels whose
// control flow depends on y, go row by row.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @product(
// CHECK: several_rows{{.*}}:
// CHECK: @llvm.vp.load
// CHECK-NOT: @llvm.vp.load
// CHECK: @llvm.fmuladd.nxv
// CHECK-NEXT: insertelement
// CHECK: @llvm.fmuladd.nxv
// CHECK: y.body{{.*}}:
// CHECK-LABEL: @triangle(
// CHECK-NOT: {{^}}several_rows
kernel void product(global const float *a, global const float *b, global float *c, int k, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int i = 0; i < k; ++i)
        sum += a[y * k + i] * b[i * n + x];
    c[y * n + x] = sum;
}
kernel void triangle(global const float *a, global const float *b, global float *c, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int i = 0; i < y; ++i)
        sum += a[y * n + i] * b[i * n + x];
    c[y * n + x] = sum;
}
