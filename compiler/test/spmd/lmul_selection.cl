// SPDX-License-Identifier: Apache-2.0
// Lanes per register: as many as the vectors that live at a time leave room for.
// RUN: %cc %s --vlen=256 --emit=spmd | FileCheck %s
// RUN: %cc %s --vlen=256 -o %t --stats 2>&1 | FileCheck %s --check-prefix=SPILLS
#define CHAINS(count)                                                                              \
    int x = get_global_id(0);                                                                      \
    float v[count];                                                                                \
    for (int j = 0; j < count; ++j)                                                                \
        v[j] = a[x + j * 1000];                                                                    \
    for (int k = 0; k < n; ++k)                                                                    \
        for (int j = 0; j < count; ++j)                                                            \
            v[j] = fma(v[j], v[(j + 1) % count], a[k]);                                            \
    for (int j = 0; j < count; ++j)                                                                \
        b[x + j * 1000] = v[j];

// Three values fit into groups of eight registers.
// CHECK-LABEL: @three(
// CHECK: call <vscale x 16 x float> @llvm.fma
// SPILLS: kernel three: {{.*}}LMUL up to 8, {{.*}} 0 vector spills
kernel void three(global const float *a, global float *b, int n) { CHAINS(3) }
// Six don't: LMUL 4, rather than spills of some in each iteration.
// CHECK-LABEL: @six(
// CHECK: call <vscale x 8 x float> @llvm.fma
// SPILLS: kernel six: {{.*}}LMUL up to 4, {{.*}} 0 vector spills
kernel void six(global const float *a, global float *b, int n) { CHAINS(6) }
// Lanes that have left a loop wait for the others: the strip has as many lanes as fit into
// registers.
// CHECK-LABEL: @waiting(
// CHECK: fmul <vscale x 16 x float>
kernel void waiting(global float *a) {
    int x = get_global_id(0);
    float v = a[x];
    while (v < 1000)
        v *= 1.5f;
    a[x] = v;
}
// It has no more than that, with a register for the mask.
// CHECK-LABEL: @row_of_any_length(
// CHECK: call <vscale x 8 x float> @llvm.vp.gather
kernel void row_of_any_length(global const int *ends, global const int *columns,
                              global const float *values, global const float *x,
                              global float *y) {
    int row = get_global_id(0);
    float sum = 0;
    for (int i = ends[row]; i < ends[row + 1]; ++i)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}
// Indices of 32 bits are used as offsets, though C extends them to 64: LMUL is that of 32 bits.
// CHECK-LABEL: @looked_up(
// CHECK: call <vscale x 16 x i32> @llvm.riscv.vluxei
kernel void looked_up(global const int *table, global const int *at, global int *out) {
    int x = get_global_id(0);
    out[x] = table[at[x]] + at[x];
}
// Where they are values of their own as well, LMUL is that of 64 bits.
// CHECK-LABEL: @index_as_value(
// CHECK: call <vscale x 8 x i32> @llvm.vp.gather
kernel void index_as_value(global const int *table, global const int *at, global long *out) {
    int x = get_global_id(0);
    long place = at[x];
    out[x] = table[place] + place * 3;
}
// A uniform addend of products needs a splat for each: four don't fit into groups of eight.
// SPILLS: kernel four: {{.*}}LMUL up to 4, {{.*}} 0 vector spills
kernel void four(global const float *a, global float *b, int n) { CHAINS(4) }
// A value that is live all through a loop is worse to spill than one that is used once.
// SPILLS: kernel fifteen: {{.*}}LMUL up to 2, {{.*}} 0 vector spills
kernel void fifteen(global const float *a, global float *b, int n) { CHAINS(15) }

// Ten products with one scalar addend share one splat of it.
// SPILLS: kernel ten: {{.*}}LMUL up to 2, {{.*}} 0 vector spills
kernel void ten(global const float *a, global float *b, int n) { CHAINS(10) }
// Pointers exceed eight registers before the bytes they point to do: accesses are split into
// several instructions.
// SPILLS: kernel sorted: {{.*}} 0 vector spills
kernel void sorted(global const uchar *a, global uchar *b, int width) {
    int x = get_global_id(0);
    uchar v[9];
    for (int j = 0; j < 9; ++j)
        v[j] = a[clamp(x + j, 0, width - 1)];
    for (int j = 0; j < 8; ++j)
        for (int k = 0; k < 8; ++k) {
            uchar least = min(v[k], v[k + 1]);
            v[k + 1] = max(v[k], v[k + 1]);
            v[k] = least;
        }
    b[x] = v[4];
}
// Widening products read values of half the width: those are live, not their extensions.
// SPILLS: kernel products: {{.*}}LMUL up to 2, {{.*}} 0 vector spills
kernel void products(global const short *a, global int *b, int n) {
    int x = get_global_id(0);
    int sums[8] = {0};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 8; ++j)
            sums[j] += a[x + i * 64] * (j * 3 + 1);
    for (int j = 0; j < 8; ++j)
        b[x + j * 1000] = sums[j];
}
// Bytes alone fill eight registers with 64 lanes; a work-item with several bytes has segments of
// fewer.
// CHECK-LABEL: @bytes(
// CHECK: call <vscale x 64 x i8> @llvm.vp.load
kernel void bytes(global uchar *a, uchar u) {
    int i = get_global_id(0);
    a[i] = a[i] > u ? 255 : 0;
}
// CHECK-LABEL: @pairs(
// CHECK-NOT: <vscale x 64 x i8>
// CHECK: {{^}}}
kernel void pairs(global uchar2 *a, uchar u) {
    int i = get_global_id(0);
    a[i] = max(a[i].yx, u);
}
// Sixteen sums and four factors in a nest's private arrays fill one register each; more lanes would
// spill most of them, which costs more cycles than it saves instructions, for several rows, too.
// CHECK-LABEL: @block(
// CHECK-NOT: alloca
// CHECK: @llvm.riscv.vlseg4
// SPILLS: kernel block: {{.*}}LMUL up to 1, {{.*}} 0 vector spills
kernel void block(global const float *a, global const float *b, global float *c, int n) {
    int x = get_global_id(0) * 4, y = get_global_id(1) * 4;
    float sums[4][4] = {0}, column[4], row[4];
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < 4; ++i) {
            column[i] = a[(y + i) * n + k];
            row[i] = b[k * n + x + i];
        }
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                sums[i][j] += column[i] * row[j];
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            c[(y + i) * n + x + j] = sums[i][j];
}
// An extension that multiply-adds can't take over, because half can't hold their other factors, is
// live itself.
// SPILLS: kernel extended: {{.*}}LMUL up to 2, {{.*}} 0 vector spills
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void extended(global const half *a, global float *b, int n) {
    int x = get_global_id(0);
    float sums[7] = {0};
    for (int i = 0; i < n; ++i) {
        float v[4];
        for (int j = 0; j < 4; ++j)
            v[j] = a[x + i * 64 + j * 9000];
        for (int j = 0; j < 7; ++j)
            sums[j] = fma(v[j % 4], j * 0.3f + 1.1f, sums[j]);
    }
    for (int j = 0; j < 7; ++j)
        b[x + j * 1000] = sums[j];
}
// Pairs with eight registers for each field would be accessed one field at a time, each element on
// its own; sums of their products would be spilled, too.
// SPILLS: kernel complex_product: {{.*}}LMUL up to 4, {{.*}} 0 strided, {{[1-9][0-9]*}} segmented, 0 vector spills
kernel void complex_product(global const float2 *a, global const float2 *b, global float2 *c) {
    int x = get_global_id(0);
    float2 u = a[x], v = b[x];
    c[x] = (float2)(u.x * v.x - u.y * v.y, u.x * v.y + u.y * v.x);
}
// Elements that the next lane reads, too, are no fields: as many lanes as fit.
// SPILLS: kernel taps: {{.*}}LMUL up to 8, {{.*}} 0 strided, 0 segmented, 0 vector spills
kernel void taps(global const float *a, global float *b) {
    int x = get_global_id(0);
    b[x] = a[x] + a[x + 1] * 3 + a[x + 2];
}
// A field alone has no segment: its elements cost the same with any number of lanes.
// SPILLS: kernel every_fourth: {{.*}}LMUL up to 8, {{.*}} {{[1-9][0-9]*}} strided, 0 segmented
kernel void every_fourth(global const float *a, global float *b) {
    int x = get_global_id(0);
    b[x] = a[4 * x];
}
// Where elements cost as on the X280, segments pay even if they take many more instructions.
// RUN: %cc %s --vlen=512 -o %t --stats 2>&1 | FileCheck %s --check-prefix=ANY
// RUN: %cc %s --vlen=512 -o %t --stats -mcpu=sifive-x280 2>&1 | FileCheck %s --check-prefix=X280
// ANY: kernel two_pairs: {{.*}}LMUL up to 8, {{.*}} {{[1-9][0-9]*}} strided, 0 segmented
// X280: kernel two_pairs: {{.*}}LMUL up to 2, {{.*}} 0 strided, {{[1-9][0-9]*}} segmented
kernel void two_pairs(global const float *p, global float *q) {
    int i = get_global_id(0);
    q[i] = p[4 * i] * p[4 * i + 1] + p[4 * i + 2] * p[4 * i + 3];
}
// An id that lanes compare in a divergent loop takes registers there, too.
// SPILLS: kernel compared: {{.*}}LMUL up to 4, {{.*}} 0 vector spills
kernel void compared(global const uchar *text, global int *out, int n) {
    int begin = get_global_id(0) * 16, count = 0;
    for (int i = begin; i < begin + 16 && i < n; i++)
        count += text[i] > 32 && (i == 0 || text[i - 1] <= 32);
    out[get_global_id(0)] = count;
}
