// SPDX-License-Identifier: Apache-2.0
// Neighbours in y that load the same vectors run together; rows that are left, and kernels whose
// control flow depends on y, go row by row.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @product(
// CHECK: several_rows{{.*}}:
// CHECK: @llvm.vp.load
// CHECK-NOT: @llvm.vp.load
// CHECK: @llvm.{{fma|fmuladd}}.nxv
// CHECK-NEXT: insertelement
// CHECK: @llvm.{{fma|fmuladd}}.nxv
// CHECK: {{^}}y{{[0-9]+}}:
// CHECK: @llvm.vp.load
// CHECK: @llvm.{{fma|fmuladd}}.nxv
// CHECK-NOT: @llvm.{{fma|fmuladd}}.nxv
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
// Rows of local memory are jammed as well, at different offsets: seven loads for five rows.
// RUN: %cc %s --emit=spmd --vlen 512 | FileCheck %s --check-prefix=TILE
// CHECK-LABEL: @square(
// TILE-LABEL: @square(
// TILE: {{^}}all_rows{{.*}}:
// TILE: add nuw nsw i32 %y{{[0-9]*}}, 4
kernel void square(global const float *a, global float *b) {
    local float tile[20][20];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y + 2][x] = a[y * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k < 5; ++k)
        for (int i = 0; i < 5; ++i)
            sum += tile[y + k][x + i];
    b[y * 16 + x] = sum;
}
// A kernel that never asks for y has one row, even if work-items keep values over a barrier.
// TILE-LABEL: @one_row(
// TILE-NOT: {{^}}several_rows
// TILE: {{^}}}
kernel void one_row(global const float *a, global float *b, local float *t) {
    float x = a[get_global_id(0)], sum = 0;
    t[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < get_local_size(0); ++i)
        sum += x * t[i];
    b[get_global_id(0)] = sum;
}
// A guard on y ends the rows that run together.
// TILE-LABEL: @guarded(
// TILE: call i64 @llvm.smin.i64
// TILE: {{^}}several_rows{{.*}}:
// A guard that is no limit of y is tested for all rows that are to run together.
// TILE-LABEL: @guarded_by_bits(
// TILE: {{^}}rows{{.*}}:
// TILE: {{^}}several_rows{{.*}}:
#define GUARDED(NAME, GUARD)                                                                       \
    kernel void NAME(global const float *a, global const float *b, global float *c, int k, int n,  \
                     int m) {                                                                      \
        int x = get_global_id(0), y = get_global_id(1);                                            \
        if (GUARD)                                                                                 \
            return;                                                                                \
        float sum = 0;                                                                             \
        for (int i = 0; i < k; ++i)                                                                \
            sum += a[y * k + i] * b[i * n + x];                                                    \
        c[y * n + x] = sum;                                                                        \
    }
GUARDED(guarded, x >= n || y >= m)
GUARDED(guarded_by_bits, (y & 4) == m)
// No remainder loop is left where the size is known.
// TILE-LABEL: @sixteen(
// TILE: {{^}}rows{{.*}}:
// TILE-NOT: {{^}}y.body
// TILE-LABEL: @eighteen(
// TILE: {{^}}rows{{.*}}:
// TILE: {{^}}y.body
#define BLUR(NAME, HEIGHT)                                                                         \
    kernel __attribute__((reqd_work_group_size(16, HEIGHT, 1))) void NAME(global const float *a,   \
                                                                          global float *b) {       \
        local float tile[HEIGHT + 4][20];                                                          \
        int x = get_local_id(0), y = get_local_id(1);                                              \
        tile[y + 2][x] = a[y * 16 + x];                                                            \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        float sum = 0;                                                                             \
        for (int k = 0; k < 5; ++k)                                                                \
            for (int i = 0; i < 5; ++i)                                                            \
                sum += tile[y + k][x + i];                                                         \
        b[y * 16 + x] = sum;                                                                       \
    }
BLUR(sixteen, 16)
BLUR(eighteen, 18)
// A condition on y at the start of each row is tested once for all of them.
// RUN: %cc %s --emit=spmd | FileCheck %s --check-prefix=STAGED
// STAGED-LABEL: @staged(
// STAGED: {{^}}all_rows{{.*}}:
// STAGED: add nuw nsw i32 %y{{[0-9]*}}, 4
// STAGED: {{^}}several_rows{{.*}}:
kernel void staged(global const float *a, global float *b, int w, int h) {
    local float t[16 * 17];
    int x = get_local_id(0), y = get_local_id(1);
    t[y * 17 + x] = a[get_global_id(1) * w + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int column = get_group_id(1) * 16 + x, row = get_group_id(0) * 16 + y;
    if (column < h && row < w)
        b[row * h + column] = t[x * 17 + y];
}
// In OpenCL C 3.0 the last groups may be cut short: they run row by row, in a function of their own.
// RUN: %cc %s --emit=spmd --vlen 512 -cl-std=CL3.0 | FileCheck %s --check-prefix=UNEVEN
// UNEVEN-LABEL: @sixteen.uneven(
// UNEVEN-NOT: {{^}}rows{{[0-9]*}}:
// UNEVEN: {{^}}y{{[0-9]*}}:
// UNEVEN-LABEL: @sixteen(
// UNEVEN: call void @sixteen.uneven(
// UNEVEN-NOT: {{^}}y{{[0-9]*}}:
// UNEVEN: {{^}}}
// UNEVEN-LABEL: @eighteen(

// Each of the rows has private arrays of its own, so rows with large ones are not jammed.
// RUN: %cc %s --emit=spmd | FileCheck %s --check-prefix=PRIVATE
// PRIVATE-LABEL: @few(
// PRIVATE: {{^}}several_rows
// PRIVATE-LABEL: @many(
// PRIVATE-NOT: {{^}}several_rows
// PRIVATE: {{^}}}
#define KEEP(name, count)                                                                          \
    kernel void name(global const float *a, global const float *b, global float *c,                \
                     global const int *t, int k, int n) {                                          \
        int x = get_global_id(0), y = get_global_id(1);                                            \
        float kept[count];                                                                         \
        for (int i = 0; i < k; ++i)                                                                \
            kept[t[i]] = b[i * n + x];                                                             \
        float sum = 0;                                                                             \
        for (int i = 0; i < k; ++i)                                                                \
            sum += a[y * k + i] * b[i * n + x];                                                    \
        c[y * n + x] = sum + kept[k];                                                              \
    }
KEEP(few, 64)
KEEP(many, 65)
