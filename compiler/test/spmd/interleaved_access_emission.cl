// SPDX-License-Identifier: Apache-2.0
// Neighbouring fields are written by one segment access: contiguous, strided, indexed, or in parts
// when eight registers don't hold them all.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @pairs(
// CHECK: call void @llvm.riscv.vsseg2.mask
// CHECK-LABEL: @quads(
// CHECK-COUNT-2: call void @llvm.riscv.vssseg2.mask{{.*}}i64 8, <vscale
// CHECK-LABEL: @fields(
// CHECK: call void @llvm.riscv.vssseg2.mask{{.*}}i64 3, <vscale
// CHECK-LABEL: @indexed(
// CHECK: call void @llvm.riscv.vsoxseg2.mask
kernel void pairs(global const uchar *a, global uchar2 *b) {
    size_t i = get_global_id(0);
    b[i] = (uchar2)(a[i], 3);
}
kernel void quads(global const uchar *a, global uchar4 *b) {
    size_t i = get_global_id(0);
    b[2 * i] = (uchar4)(a[i], 2 * a[i], 3, a[i] + 1);
}
struct bytes {
    uchar x, y, z;
};
kernel void fields(global const uchar *a, global struct bytes *b) {
    size_t i = get_global_id(0);
    uchar x = a[i];
    b[i].z = x * x;
    b[i].y = x;
}
kernel void indexed(global const uchar *a, global const uint *at, global uchar2 *b) {
    size_t i = get_global_id(0);
    b[at[i]] = (uchar2)(a[i], 1);
}
// Values that are live throughout a loop have registers of their own, not a tuple of eight.
// RUN: %cc %s --emit=spmd --vlen=256 | FileCheck %s --check-prefix=LONG
// LONG-LABEL: @nearest(
// LONG-NOT: @llvm.riscv.vl{{s?}}seg
// LONG: {{^}}}
kernel void nearest(global const float4 *points, global const float4 *from, global int *to, int n) {
    size_t i = get_global_id(0);
    float4 me = from[i];
    float least = INFINITY;
    int best = -1;
    for (int j = 0; j < n; ++j) {
        float4 d = points[j] - me;
        float square = dot(d, d);
        if (square < least) {
            least = square;
            best = j;
        }
    }
    to[i] = best;
}
// A segment has room for four of five fields: they are split in three and two, never with one
// alone.
// CHECK-LABEL: @five(
// CHECK: call void @llvm.riscv.vssseg3.mask
// CHECK: call void @llvm.riscv.vssseg2.mask
struct five {
    uchar a, b, c, d, e;
};
kernel void five(global const float *a, global struct five *s) {
    size_t i = get_global_id(0);
    uchar v = convert_uchar_sat(a[i]);
    s[2 * i] = (struct five){v, v + 1, v + 2, v * 3, v * v};
}
// Two fields of five are a segment load with the stride of five.
// CHECK-LABEL: @two_of_five(
// CHECK: @llvm.riscv.vlsseg2.mask{{.*}}i64 5,
kernel void two_of_five(global const struct five *s, global float *b) {
    size_t i = get_global_id(0);
    b[i] = s[i].b * s[i].c;
}
// Elements that neighbours share are no segments: loads stay on their own, and stores in their
// order.
// CHECK-LABEL: @shared(
// CHECK-NOT: vlsseg
// CHECK-COUNT-2: call <vscale x {{[0-9]+}} x i8> @llvm.vp.load
// CHECK-LABEL: @written_twice(
// CHECK-NOT: vssseg
// CHECK-COUNT-2: call void @llvm.vp.store
kernel void shared(global const uchar *a, global float *b) {
    size_t i = get_global_id(0);
    b[i] = a[i] * a[i + 1];
}
kernel void written_twice(global uchar *a, uchar v) {
    size_t i = get_global_id(0);
    a[i] = v;
    a[i + 1] = v * 3;
}
// Fields of one element are loaded together, whatever the order of their uses.
// RUN: %cc %s --vlen=512 -o %t --stats 2>&1 | FileCheck %s --check-prefix=STATS
// STATS: kernel columns: {{.*}}LMUL up to 2, {{.*}}6 segmented, {{[0-9]}} vector spills
kernel void columns(global const float *a, global const float8 *b, global float8 *c, int n, int k) {
    int x = get_global_id(0), y = get_global_id(1);
    float8 sum = 0;
    for (int i = 0; i < k; ++i)
        sum = mad((float8)(a[y * k + i]), b[i * n + x], sum);
    c[y * n + x] = sum;
}
// Loads of constants may come between the stores of a segment. Others might read what is stored.
// CHECK-LABEL: @looked_up(
// CHECK: call void @llvm.riscv.vsseg3.mask
// CHECK-LABEL: @read_between(
// CHECK-NOT: sseg
// CHECK: {{^}}}
constant uchar table[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
kernel void looked_up(global const ushort *a, global uchar *b) {
    size_t i = get_global_id(0);
    ushort v = a[i];
    b[3 * i] = table[v >> 10];
    b[3 * i + 1] = table[v >> 5 & 31];
    b[3 * i + 2] = table[v & 31];
}
kernel void read_between(global const uchar *a, global uchar *b) {
    size_t i = get_global_id(0);
    b[2 * i] = a[i + 3];
    b[2 * i + 1] = a[i + 5];
}
