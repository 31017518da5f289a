// SPDX-License-Identifier: Apache-2.0
// Lattice Boltzmann, nine directions: pulls from neighbours (periodic), relaxes.
__constant float weights[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
__constant int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__kernel void lbm_d2q9(__global const float *from, __global float *to, int width, int height, float omega)
{
    const int x = get_global_id(0), y = get_global_id(1);
    const int cells = width * height, here = y * width + x;
    float f[9], rho = 0.0f, ux = 0.0f, uy = 0.0f;
    for (int d = 0; d < 9; d++) {
        int sx = (x - cx[d] + width) % width, sy = (y - cy[d] + height) % height;
        f[d] = from[d * cells + sy * width + sx];
        rho += f[d];
        ux += cx[d] * f[d];
        uy += cy[d] * f[d];
    }
    ux /= rho;
    uy /= rho;
    const float square = 1.5f * (ux * ux + uy * uy);
    for (int d = 0; d < 9; d++) {
        float cu = 3.0f * (cx[d] * ux + cy[d] * uy);
        float equilibrium = weights[d] * rho * (1.0f + cu + 0.5f * cu * cu - square);
        to[d * cells + here] = f[d] + omega * (equilibrium - f[d]);
    }
}
