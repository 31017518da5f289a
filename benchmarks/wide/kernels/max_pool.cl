// SPDX-License-Identifier: Apache-2.0
// Maximum of 3 x 3, stride 2, padded, planes.
__kernel void max_pool(__global const float *in, __global float *out, int width, int height, int out_width, int out_height)
{
    int x = get_global_id(0), y = get_global_id(1), c = get_global_id(2);
    if (x >= out_width || y >= out_height)
        return;
    float most = -FLT_MAX;
    for (int j = max(2 * y - 1, 0); j < min(2 * y + 2, height); j++)
        for (int i = max(2 * x - 1, 0); i < min(2 * x + 2, width); i++)
            most = max(most, in[(c * height + j) * width + i]);
    out[(c * out_height + y) * out_width + x] = most;
}
