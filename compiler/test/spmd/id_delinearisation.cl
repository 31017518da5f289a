// SPDX-License-Identifier: Apache-2.0
// An id that is divided: parts of the row between two multiples of the divisor, in which the
// quotient is the same for all lanes and remainders are neighbours; no gathers, no divisions.
// RUN: %cc %s --vlen=256 --emit=spmd | FileCheck %s
// CHECK-LABEL: @row_and_column(
// CHECK: part{{(\.i[0-9]*)*[0-9]*}}:
// CHECK: udiv i32
// CHECK: version{{(\.i[0-9]*)*[0-9]*}}:
// CHECK-NOT: @llvm.{{vp.gather|riscv.vluxei}}
// CHECK-NOT: @llvm.vp.sdiv
// CHECK: version1{{(\.i[0-9]*)*[0-9]*}}:
// CHECK: @llvm.riscv.vluxei
kernel void row_and_column(global const float *a, global const float *scale,
                           global const float *shift, global float *b, int width) {
    int i = get_global_id(0);
    b[i] = a[i] * scale[i / width] + shift[i % width];
}
// Divisors that are powers of two need no second version.
// CHECK-LABEL: @shifted(
// CHECK-NOT: @llvm.vp.gather
kernel void shifted(global const float *a, global float *b, int height) {
    int i = get_global_id(0);
    int y = min((i >> 8) + 1, height - 1);
    b[i] = a[y * 256 + (i & 255)];
}
// With three dimensions, parts are split into parts.
// CHECK-LABEL: @planes(
// CHECK: part{{(\.i[0-9]*)*[0-9]*}}:
// CHECK: part{{(\.i[0-9]*)*[0-9]*}}:
kernel void planes(global const float *a, global float *b, int w, int h, int pitch) {
    int i = get_global_id(0);
    int z = i / (w * h), y = i % (w * h) / w, x = i % (w * h) % w;
    b[i] = a[(z * h + y) * pitch + x];
}
// Parts of a few work-items are no gain.
// CHECK-LABEL: @pairs(
// CHECK-NOT: part
// CHECK: ret void
kernel void pairs(global const float *a, global float *b) {
    int i = get_global_id(0);
    b[i] = a[i / 2] + a[i % 3];
}
// A guard stays one, although the id is divided later.
// CHECK-LABEL: @guarded(
// CHECK-NOT: @llvm.vp.store{{.*}}<vscale x {{[0-9]+}} x i1> %
kernel void guarded(global const float *a, global float *b, uint w, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    uint y = i / w, x = i - y * w;
    b[i] = a[y * w + (x + 1 < w ? x + 1 : x)];
}
