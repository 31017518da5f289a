// SPDX-License-Identifier: Apache-2.0
// Neighbours' addresses by one addition.
// RUN: %cc %s --vlen=512 --emit=asm | FileCheck %s

// The rows' addresses take one product.
// CHECK-LABEL: {{^}}rows:
// CHECK: mulw
// CHECK-NOT: mul
// CHECK: subw
// CHECK-NOT: mul
// CHECK: subw
// CHECK-NOT: mul
// CHECK-COUNT-4: sh2add
kernel void rows(global float *restrict out, global const float *restrict in, int y, int pitch) {
    int x = get_global_id(0);
    out[x] = in[(y + 1) * pitch + x] + in[y * pitch + x] + in[(y - 1) * pitch + x];
}

// Rows that aren't next to each other: eight pitches are computed before the loop.
// CHECK-LABEL: {{^}}far_rows:
// CHECK: slli{{w?}} [[EIGHT:[a-z0-9]+]], {{[a-z0-9]+}}, 3
// CHECK: mulw [[ROW:[a-z0-9]+]]
// CHECK-NOT: mul
// CHECK: addw [[NEXT:[a-z0-9]+]], [[ROW]], [[EIGHT]]
// CHECK-NOT: mul
// CHECK: addw {{[a-z0-9]+}}, [[NEXT]], [[EIGHT]]
// CHECK-NOT: mul
// CHECK-COUNT-3: fadd.s
kernel void far_rows(global float *restrict out, global const float *restrict in,
                     global const int *restrict rows, int pitch) {
    float sum = 0;
    for (int row = rows[0]; row >= 0; row = rows[row])
        sum += in[row * pitch] + in[(row + 8) * pitch] + in[(row + 16) * pitch];
    out[get_global_id(0)] = sum;
}

// A product of three factors has steps that are products.
// CHECK-LABEL: {{^}}layers:
// CHECK: mulw [[FIRST:[a-z0-9]+]]
// CHECK-NOT: mul
// CHECK: addw
// CHECK-NOT: mul
// CHECK-COUNT-2: fadd.s
kernel void layers(global float *restrict out, global const float *restrict in,
                   global const int *restrict at, int h, int w) {
    float sum = 0;
    for (int z = at[0], y = at[1]; z >= 0; z = at[2 * y], y = at[2 * y + 1])
        sum += in[(z * h + y) * w] + in[((z + 1) * h + y) * w];
    out[get_global_id(0)] = sum;
}

// Addresses with the same terms and another constant share a base: one for each of two rows.
// CHECK-LABEL: {{^}}row_by_column:
// CHECK: flw {{[a-z0-9]+}}, 0([[ROW:[a-z0-9]+]])
// CHECK: flw {{[a-z0-9]+}}, 0([[NEXT:[a-z0-9]+]])
// CHECK: flw {{[a-z0-9]+}}, 4([[ROW]])
// CHECK: flw {{[a-z0-9]+}}, 4([[NEXT]])
kernel void row_by_column(global float *restrict out, global const float *restrict a,
                          global const float *restrict b, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    out[y * n + x] = sum;
}

// Parts with conditions of their own share what is computed before them.
// CHECK-LABEL: {{^}}parts:
// CHECK: mulw
// CHECK-NOT: mul
// CHECK-COUNT-2: fadd.s
kernel void parts(global float *restrict out, global const float *restrict in,
                  global const int *restrict rows, global const int *restrict flags, int pitch) {
    float sum = 0;
    for (int row = rows[0]; row >= 0; row = rows[row]) {
        if (flags[row] & 1)
            sum += in[row * pitch];
        if (flags[row] & 2)
            sum += in[(row + 1) * pitch];
    }
    out[get_global_id(0)] = sum;
}

// A sum that is a constant on one path gets no second address there.
// RUN: %cc %s --vlen=128 --stats -o %t.rvk 2>&1 | FileCheck --check-prefix=STATS %s
// STATS: kernel scan:{{.*}} 0 vector spills
kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void scan(global const uint *in, global uint *out) {
    local uint sums[2][256];
    uint lid = get_local_id(0), gid = get_global_id(0);
    int now = 0;
    sums[0][lid] = lid > 0 ? in[gid - 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < 256; step *= 2) {
        uint v = sums[now][lid];
        if (lid >= step)
            v += sums[now][lid - step];
        now = 1 - now;
        sums[now][lid] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[gid] = sums[now][lid];
}
