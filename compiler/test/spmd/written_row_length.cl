// SPDX-License-Identifier: Apache-2.0
// Code that numbers the work-items of a group by rows of 16, or has such rows in local memory, gets
// vectors of 16 lanes; otherwise rows are taken to be longer.
// RUN: %cc %s --vlen=512 -o %t --stats 2>&1 | FileCheck %s

// CHECK: kernel numbered: {{.*}}LMUL up to 1
kernel void numbered(global const float *a, global float *b) {
    local float t[256];
    int i = get_local_id(1) * 16 + get_local_id(0);
    int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    t[i] = a[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[at] = t[i ^ 1];
}
// CHECK: kernel padded: {{.*}}LMUL up to 1
kernel void padded(global const float *a, global float *b) {
    local float t[16][17];
    int x = get_local_id(0), y = get_local_id(1);
    int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    t[y][x] = a[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[at] = t[x][y];
}
// A picture's width is no row of a group, and three taps of a filter aren't either.
// CHECK: kernel other: {{.*}}LMUL up to 2
kernel void other(global const float *a, global float *b, local float *t) {
    int x = get_local_id(0), y = get_local_id(1);
    t[y * 1024 + x] = a[y * 3 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[get_global_id(1) * get_global_size(0) + get_global_id(0)] = t[y * 1024 + x];
}
// What is required counts.
// CHECK: kernel required: {{.*}}LMUL up to 2
kernel __attribute__((reqd_work_group_size(32, 8, 1))) void required(global const float *a, global float *b) {
    local float t[16 * 8 + 16];
    int i = get_local_id(1) * 16 + get_local_id(0);
    int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    t[i] = a[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[at] = t[i ^ 1];
}
