// SPDX-License-Identifier: Apache-2.0
// Half a step of Gauss-Seidel with over-relaxation: the points of one colour, in place.
__kernel void red_black(__global float *u, __global const float *f, int n, int colour, float omega)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    if (((x + y) & 1) == colour && x < n - 1 && y < n - 1) {
        int i = y * n + x;
        float better = 0.25f * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - f[i]);
        u[i] += omega * (better - u[i]);
    }
}
