// SPDX-License-Identifier: Apache-2.0
// A row is parted where a comparison of x turns: no masks, and border points one at a time.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @border(
// CHECK: part.i{{.*}}:
// CHECK: call i32 @llvm.umin.i32
// CHECK-NOT: <vscale x {{[0-9]+}} x i1> %
kernel void border(global const float *a, global float *b, int width) {
    int x = get_global_id(0);
    if (x == 0 || x == width - 1)
        b[x] = 0;
    else
        b[x] = a[x - 1] + a[x + 1];
}
// What is the same for the whole row is asked first.
// CHECK-LABEL: @halves(
// CHECK: icmp eq i32 %{{[0-9]+}}, 3
// CHECK: part.i{{.*}}:
// CHECK-NOT: <vscale x {{[0-9]+}} x i1> %
kernel void halves(global const float *a, global float *b, int half_, int flag) {
    int x = get_global_id(0);
    if (flag == 3 || x >= half_)
        b[x] = a[x];
    else
        b[x] = -a[x];
}
// A border of both dimensions: rows of it are told apart first, single points between runs after.
// CHECK-LABEL: @frame(
// CHECK: icmp eq i32 %{{[0-9a-z.]+}}, 0
// CHECK: or i1
// CHECK: part.i{{.*}}:
// CHECK: call i32 @llvm.umin.i32
// CHECK: point.i{{.*}}:
// CHECK: store i8 0
kernel void frame(global const uchar *a, global uchar *b, int width, int height) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
        b[y * width + x] = 0;
    else
        b[y * width + x] = a[y * width + x - 1] ^ a[y * width + x + width];
}
// What comes after both branches may have a value that depends on the way.
// CHECK-LABEL: @after_both(
// CHECK: part.i{{.*}}:
// CHECK: point.i{{.*}}:
kernel void after_both(global float *a, global float *b, int width, int height) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    float v = 1;
    if (x == 0 || y == height - 1) {
        b[x] = 0;
        v = 2;
    }
    a[(height - 1) * width + x] = v;
}
