// SPDX-License-Identifier: Apache-2.0
// More loads that all work-items of a row share than there are registers stay in the loop over
// strips, of which a group with rows has one, mostly.
// RUN: %cc %s --emit=spmd | FileCheck %s
// RUN: %cc %s --emit=spmd -DTILE=4 | FileCheck %s --check-prefix=FEW
// CHECK: !{!"llvm.licm.disable"}
// FEW-NOT: !{!"llvm.licm.disable"}
#ifndef TILE
#define TILE 16
#endif
kernel void multiply(global const float *a, global const float *b, global float *c, int n) {
    local float s[TILE][TILE], t[TILE][TILE];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int i = 0; i < n; i += TILE) {
        s[ly][lx] = a[y * n + i + lx];
        t[ly][lx] = b[(i + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k)
            sum += s[ly][k] * t[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}
