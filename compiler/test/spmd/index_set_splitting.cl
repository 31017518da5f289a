// SPDX-License-Identifier: Apache-2.0
// A row is parted where a comparison of x turns: no masks, and border points one at a time.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @border(
// CHECK: part{{(\.i[0-9]*)*[0-9]*}}:
// CHECK: call i32 @llvm.umin.i32
// CHECK-NOT: <vscale x {{[0-9]+}} x i1> %
kernel void border(global const float *a, global float *b, int width) {
    int x = get_global_id(0);
    if (x == 0 || x == width - 1)
        b[x] = 0;
    else
        b[x] = a[x - 1] + a[x + 1];
}
// Conditions that are uniform for the whole row are tested first.
// CHECK-LABEL: @halves(
// CHECK: icmp eq i32 %{{[0-9]+}}, 3
// CHECK: part{{(\.i[0-9]*)*[0-9]*}}:
// CHECK-NOT: <vscale x {{[0-9]+}} x i1> %
kernel void halves(global const float *a, global float *b, int half_, int flag) {
    int x = get_global_id(0);
    if (flag == 3 || x >= half_)
        b[x] = a[x];
    else
        b[x] = -a[x];
}
// A border in both dimensions: whole rows of it are split off first, once for all rows, then single
// points between runs. These are columns, whose work-items are lanes, too.
// CHECK-LABEL: @frame(
// CHECK: {{^}}part:
// CHECK: %at = phi i32
// CHECK: icmp eq i32 %{{[0-9a-z.]+}}, 0
// CHECK: or i1
// CHECK: br i1
// CHECK: {{^}}part{{[0-9]+}}:
// CHECK: call i32 @llvm.umin.i32
// CHECK: {{^}}y{{[0-9]+}}:
// CHECK: {{^}}column:
// CHECK: strided.store
// CHECK-NOT: store i8 0
kernel void frame(global const uchar *a, global uchar *b, int width, int height) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
        b[y * width + x] = 0;
    else
        b[y * width + x] = a[y * width + x - 1] ^ a[y * width + x + width];
}
// A flag that is the same for all rows doesn't keep rows of a border from being split off once.
// CHECK-LABEL: @flagged(
// CHECK: {{^}}part:
// CHECK: %at = phi i32
// CHECK: or i1
// CHECK: br i1
// CHECK: {{^}}part{{[0-9]+}}:
// CHECK: {{^}}y{{[0-9]+}}:
// CHECK: {{^}}column:
// CHECK: {{^}}}
kernel void flagged(global const uchar *a, global uchar *b, int width, int height, int off) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (off == 1 || x == 0 || y == 0 || x == width - 1 || y == height - 1)
        b[y * width + x] = 0;
    else
        b[y * width + x] = a[y * width + x - 1] ^ a[y * width + x + width];
}
// Code behind both branches may use a value that depends on the path, here the counter's start.
// CHECK-LABEL: @loop_after(
// CHECK: phi
kernel void loop_after(global uint *out, uint n, uint u) {
    uint x = get_global_id(0), y = get_global_id(1);
    uint a = out[x & 1023], b = x * 3 + y;
    uint array[8] = {a, 1, b, 3, 4, 5, 6, 7};
    if (x < u)
        return;
    int j = a > b ? 14336 : b;
    if (n > 1000)
        return;
    for (uint i = 0; i < (a & 7); ++i) {
    }
    out[x] ^= a + b * 3 + j + array[a & 7];
}
// An unsigned comparison also changes at zero, if its operand may be below zero.
// CHECK-LABEL: @inside(
// CHECK: part{{(\.i[0-9]*)*[0-9]*}}:
// CHECK-NOT: <vscale x {{[0-9]+}} x i1> %
kernel void inside(global const float *a, global float *b, uint width) {
    int x = get_global_id(0);
    if ((uint)(x - 1) < width)
        b[x] = a[x] * 2;
    else
        b[x] = a[x + 1];
}
// More than four split points would make too many parts: the rest of the condition is a mask.
// CHECK-LABEL: @stripes(
// CHECK: <vscale x {{[0-9]+}} x i1> %
kernel void stripes(global const float *a, global float *b, int p, int q, int r, int s, int t) {
    int x = get_global_id(0);
    if (x < p || (x > q && x < r) || (x > s && x < t))
        b[x] = a[x] * 2;
    else
        b[x] = a[x + 1];
}
