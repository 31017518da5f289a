// SPDX-License-Identifier: Apache-2.0
// A computation that is the same for all components of a vector takes a lane for each: one
// instruction for all of them, accesses without segments.
// RUN: %cc %s --emit=spmd --vlen=128 | FileCheck %s
// CHECK-LABEL: @triad(
// CHECK-NOT: {{seg|strided}}
// CHECK: call <vscale x 16 x float> @llvm.vp.load
// CHECK: llvm.fmuladd.nxv16f32(
// CHECK: call void @llvm.vp.store.nxv16f32
// CHECK-LABEL: @saturated(
// CHECK-NOT: {{seg|strided}}
// CHECK: @llvm.uadd.sat.nxv64i8(
kernel void triad(global const float4 *a, global const float4 *b, global float4 *c, float s) {
    size_t i = get_global_id(0);
    c[i] = a[i] * s + b[i];
}
kernel void saturated(global const uchar16 *a, global const uchar16 *b, global uchar16 *c) {
    size_t i = get_global_id(0);
    c[i] = add_sat(a[i], b[i]);
}
// Components are converted from one type to another, three of them, without a guard for the last
// work-items.
// CHECK-LABEL: @converted(
// CHECK-NOT: {{seg|strided}}
// CHECK: uitofp <vscale x 16 x i
// CHECK-NOT: {{seg|strided}}
// CHECK: {{^}}}
kernel void converted(global const uchar *a, global float *b, int n) {
    int i = get_global_id(0);
    if (i < n)
        vstore3(convert_float3(vload3(i, a)) / 255.0f, i, b);
}
// Loops that all lanes leave together have lanes per component, too.
// CHECK-LABEL: @summed(
// CHECK-NOT: {{seg|strided}}
// CHECK: phi <vscale x 16 x float>
// CHECK-NOT: {{seg|strided}}
// CHECK: {{^}}}
kernel void summed(global const float4 *a, global float4 *b, int n, int rows) {
    int i = get_global_id(0);
    float4 sum = 0;
    for (int row = 0; row < rows; ++row)
        sum += fmax(a[row * n + i], 0.5f);
    b[i] = sum;
}
// The source may store fields one by one.
// CHECK-LABEL: @fields(
// CHECK-NOT: {{seg|strided}}
// CHECK: @llvm.vp.store
struct point {
    int x, y;
};
kernel void fields(global const struct point *a, global struct point *b, int shift) {
    int i = get_global_id(0);
    struct point p = a[i];
    p.x <<= shift;
    p.y <<= shift;
    b[i] = p;
}
// Inside an image there are no clamps, and neighbours are one work-item's stride apart.
// CHECK-LABEL: @clamped(
// CHECK: call void @llvm.vp.store.nxv{{[0-9]+}}i8
// CHECK: {{^}}}
kernel void clamped(global const uchar4 *a, global uchar4 *b, int width) {
    int x = get_global_id(0);
    b[x] = max(a[max(x - 1, 0)], a[min(x + 1, width - 1)]);
}
// Components that differ in position, operation or operands are not vectorised.
// CHECK-LABEL: @swapped(
// CHECK: {{seg2|strided}}
kernel void swapped(global const float2 *a, global float2 *b) {
    size_t i = get_global_id(0);
    b[i] = a[i].yx;
}
// CHECK-LABEL: @mixed(
// CHECK: {{seg2|strided}}
kernel void mixed(global const float2 *a, global float2 *b) {
    size_t i = get_global_id(0);
    b[i] = (float2)(a[i].x + 1.0f, a[i].y * 2.0f);
}
// CHECK-LABEL: @weighed(
// CHECK: {{seg4|strided}}
kernel void weighed(global const float4 *a, global const float *weights, global float4 *b) {
    size_t i = get_global_id(0);
    b[i] = a[i] * weights[i];
}
// Components on different paths, or with effects other than stores, stay in one lane.
// CHECK-LABEL: @chosen(
// CHECK: {{seg2|strided}}
kernel void chosen(global const float2 *a, global float2 *b) {
    size_t i = get_global_id(0);
    float2 v = a[i];
    if (v.x < 0)
        v = sqrt(v);
    b[i] = v;
}
// CHECK-LABEL: @counting(
// CHECK: {{seg2|strided}}
kernel void counting(global const int2 *a, global int2 *b, global int *count) {
    size_t i = get_global_id(0);
    b[i] = a[i] + 1;
    atomic_inc(count);
}
