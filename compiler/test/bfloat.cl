// SPDX-License-Identifier: Apache-2.0
// __bf16, clang's own type, is storage of 16 bits on every target: its values are computed as float, and
// vector units without Zvfbfmin carry it as words.
// RUN: %cc %s -o %t --vlen=512
// RUN: %cc %s -o %t
// RUN: %cc %s -o %t --vlen=512 --target=rv64gcv_zvfh_zvfbfmin
// RUN: %cc %s -o %t --vlen=512 --target=rv64gcv_zvfh_zvfbfmin_zfbfmin
// RUN: %cc %s -o %t --target=rv64gc
// RUN: %cc %s -o %t --target=rv32gc
// RUN: %cc %s -o %t --vlen=128 --target=rv32imafc_zve32f
// RUN: %cc %s -o %t --target=host
// RUN: %cc %s -o %t -cl-opt-disable
// RUN: %cc %s -o %t -rvl-vectorize=off
struct pair {
    __bf16 first, second;
};
__bf16 half_of(__bf16 x) { return x / 2; }

kernel void widens(global __bf16 *a, global float *b) {
    size_t i = get_global_id(0);
    b[i] = (float)a[i] * (float)a[i];
}
kernel void narrows(global float *a, global __bf16 *b) {
    size_t i = get_global_id(0);
    b[i] = (__bf16)a[i];
}
kernel void computes(global __bf16 *a, global __bf16 *b, __bf16 c) {
    size_t i = get_global_id(0);
    b[i] = a[i] * c + half_of(b[i]) - (a[i] > c ? c : -a[i]);
}
kernel void integers(global int *a, global __bf16 *b) {
    size_t i = get_global_id(0);
    __bf16 x = (__bf16)a[i];
    a[i] = (int)(x + b[i]);
}
kernel void arrays(global __bf16 *a, global struct pair *b, struct pair c) {
    size_t i = get_global_id(0);
    __bf16 p[8];
    for (int k = 0; k < 8; ++k)
        p[k] = a[i + k];
    struct pair x = {p[i & 7], c.second};
    local __bf16 l[64];
    l[get_local_id(0)] = x.first;
    barrier(CLK_LOCAL_MEM_FENCE);
    x.second += l[63 - get_local_id(0)];
    b[i] = x;
}
kernel void loops(global __bf16 *a, global __bf16 *b, int n) {
    size_t i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += (float)a[k] * (float)b[i * n + k];
    b[i] = (__bf16)sum;
}
kernel void same_for_all(global __bf16 *a, global float *b) {
    b[get_global_id(0)] = (float)(a[0] + (__bf16)b[1]);
}
