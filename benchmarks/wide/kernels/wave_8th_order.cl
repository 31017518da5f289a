// SPDX-License-Identifier: Apache-2.0
// Wave equation along z, eighth order, a column of registers that moves on (as on GPUs).
#define R 4
__constant float c[R + 1] = {-2.847222f, 1.6f, -0.2f, 0.025397f, -0.001786f};
__kernel void wave_8th_order(__global const float *now, __global float *next, int nx, int ny, int nz)
{
    int x = get_global_id(0), y = get_global_id(1);
    int plane = nx * ny, i = y * nx + x;
    float column[2 * R + 1];
    for (int k = 0; k < 2 * R; k++)
        column[k] = now[k * plane + i];
    for (int z = R; z < nz - R; z++) {
        column[2 * R] = now[(z + R) * plane + i];
        float sum = c[0] * column[R];
        for (int k = 1; k <= R; k++)
            sum += c[k] * (column[R - k] + column[R + k]);
        next[z * plane + i] = 2.0f * column[R] - next[z * plane + i] + 0.1f * sum;
        for (int k = 0; k < 2 * R; k++)
            column[k] = column[k + 1];
    }
}
