// SPDX-License-Identifier: Apache-2.0
// Bytes are added in 16 bits, not in C's int.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @average(
// CHECK: zext <vscale x [[N:[0-9]+]] x i8> %{{.*}} to <vscale x [[N]] x i16>
// CHECK-NOT: x i32> %
// CHECK: call void @llvm.vp.store
kernel void average(global const uchar *a, global const uchar *b, global uchar *c) {
    size_t i = get_global_id(0);
    c[i] = (a[i] + b[i] + 1) >> 1;
}
// Comparisons, selects, differences, minima and maxima have 16 bits if their values fit. Users of
// more bits extend them, users of fewer truncate them.
// CHECK-LABEL: @compared(
// CHECK: icmp {{.*}}gt <vscale x [[N:[0-9]+]] x i16>
// CHECK-NOT: x i32> %
// CHECK: call void @llvm.vp.store
kernel void compared(global const uchar *a, global const uchar *b, global uchar *c) {
    size_t i = get_global_id(0);
    c[i] = a[i] * 3 - b[i] > b[i] * 2 - a[i] * 5 ? a[i] : 7;
}
// CHECK-LABEL: @chosen(
// CHECK: select <vscale x [[N:[0-9]+]] x i1> %{{.*}}, <vscale x [[N]] x i16>
// CHECK-NOT: x i32> %
// CHECK: call void @llvm.vp.store
kernel void chosen(global const uchar *a, global const uchar *b, global uchar *c, uchar d) {
    size_t i = get_global_id(0);
    c[i] = ((a[i] > d ? a[i] * 5 - b[i] : b[i] * 9 - a[i]) + 1) >> 2;
}
// CHECK-LABEL: @distance(
// CHECK: @llvm.abs.nxv{{[0-9]+}}i16
// CHECK-NOT: x i32> %
// CHECK: call void @llvm.vp.store
kernel void distance(global const uchar *a, global const uchar *b, global uchar *c) {
    size_t i = get_global_id(0);
    c[i] = (abs(a[i] - b[i]) + abs(a[i] - 2 * b[i])) >> 2;
}
// CHECK-LABEL: @limited(
// CHECK: @llvm.smin.nxv{{[0-9]+}}i16
// CHECK-NOT: x i32> %
// CHECK: call void @llvm.vp.store
kernel void limited(global const uchar *a, global const uchar *b, global uchar *c) {
    size_t i = get_global_id(0);
    c[i] = min(a[i] * 3 - b[i], b[i] * 2 - a[i]) >> 1;
}
// Values that don't fit into 16 bits stay wide, and so do right shifts that bring in bits of the
// upper half.
// CHECK-LABEL: @wide(
// CHECK: mul {{.*}}<vscale x [[N:[0-9]+]] x i32>
kernel void wide(global const ushort *a, global const ushort *b, global ushort *c) {
    size_t i = get_global_id(0);
    c[i] = (a[i] * b[i]) >> 16;
}
// CHECK-LABEL: @shifted(
// CHECK: lshr <vscale x [[N:[0-9]+]] x i32>
kernel void shifted(global const uchar *a, global const uchar *b, global uint *c) {
    size_t i = get_global_id(0);
    c[i] = (uint)(a[i] - b[i]) >> 20;
}
// CHECK-LABEL: @far_shifted(
// CHECK: {{[al]}}shr {{.*}}<vscale x [[N:[0-9]+]] x i32>
kernel void far_shifted(global const uchar *a, global const uchar *b, global uint *c) {
    size_t i = get_global_id(0);
    c[i] = (a[i] + b[i]) >> (b[i] & 31);
}
// Products whose sum has 32 bits stay as they are: one instruction multiplies 16 bits and adds.
// RUN: %cc %s --emit=asm | FileCheck %s --check-prefix=SUM
// SUM-LABEL: summed:
// SUM: vwmacc.v
// SUM-NOT: vwadd.w
kernel void summed(global const char *a, global const char *b, global int *c, int n) {
    size_t i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[k] * b[k * n + i];
    c[i] = sum;
}
