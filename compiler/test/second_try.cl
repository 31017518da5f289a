// SPDX-License-Identifier: Apache-2.0
// Where the scheduler makes vectors live longer than the registers last, the code is made once more
// in the order that it has, and the cheaper form stays.
// RUN: %cc %s -o %t --vlen=256 --stats 2>&1 | FileCheck %s
// RUN: %cc %s -o %t --vlen=128 --stats -rvl-vectorize=off 2>&1 | FileCheck --check-prefix=OFF %s

// Loads stand right before their uses, not all of them at the start.
// CHECK: kernel in_order: {{.*}} 0 vector spills
kernel void in_order(global const float *a, global float *b) {
    int x = get_global_id(0);
    float s = 0;
    for (int j = 0; j < 8; ++j)
        s = s * a[x + j] + a[x + j + 100];
    b[x] = s;
}
// Here the scheduler's order is the better one: about 45 spills with it, more without.
// CHECK: kernel scheduled: {{.*}} {{[0-4]?[0-9]}} vector spills
kernel void scheduled(global const float4 *a, global const float4 *v, global float4 *b, int n) {
    int x = get_global_id(0);
    float4 p = a[x], s = 0;
    for (int j = 0; j < n; ++j) {
        float4 d = a[j] - p;
        float r = rsqrt(dot(d.xyz, d.xyz) + 0.01f);
        s += d * (r * r * r) * a[j].w;
    }
    b[x] = p + v[x] + s;
}
// So are functions whose vectors are all LLVM's own: the fields of structures are none of theirs.
// OFF: kernel of_its_own: {{.*}} {{[1-9][0-9]*}} vector spills
kernel void of_its_own(global float16 *a) {
    float16 v[12];
    for (int k = 0; k < 12; ++k)
        v[k] = a[k];
    for (int k = 0; k < 12; ++k)
        a[k] = v[k] * v[11 - k] + v[(k + 5) % 12];
}
