// SPDX-License-Identifier: Apache-2.0
// Heat in a plate: five points, borders kept.
__kernel void heat_5pt(__global const float *t, __global float *next, int width, int height, float k)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    int i = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
        next[i] = t[i];
    else
        next[i] = t[i] + k * (t[i - 1] + t[i + 1] + t[i - width] + t[i + width] - 4.0f * t[i]);
}
