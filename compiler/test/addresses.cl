// SPDX-License-Identifier: Apache-2.0
// Addresses in a loop from which others are an addition away: one of each group is stepped from
// iteration to iteration, and no product is left in there.
// RUN: %cc %s --vlen=512 --emit=asm | FileCheck %s

// CHECK-LABEL: {{^}}two_groups:
// CHECK: vmv.v.i
// CHECK-NOT: mul{{w?[[:space:]]}}
// CHECK-COUNT-10: vle32.v
// CHECK-NOT: mul{{w?[[:space:]]}}
// CHECK: vse32.v
kernel void two_groups(global float *restrict out, global const float *restrict a,
                       global const float *restrict b, int n, long pitch) {
    int x = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++) {
        global const float *p = a + k * pitch + x, *q = b + (n - k) * 7 * pitch + x;
        sum += p[0] * q[0] + p[3] * q[1000] + p[2000] * q[9] + p[4] * q[99] + p[300] * q[10];
    }
    out[x] = sum;
}
