// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution 3 x 3 of half planes, zero outside, ReLU.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void half_depthwise_3x3(__global const half *in, __global const half *filters, __global half *out,
                                 int width, int height)
{
    const int x = get_global_id(0), y = get_global_id(1), channel = get_global_id(2);
    in += channel * width * height;
    half sum = 0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            int sx = x + i - 1, sy = y + j - 1;
            if (sx >= 0 && sx < width && sy >= 0 && sy < height)
                sum += in[sy * width + sx] * filters[channel * 9 + j * 3 + i];
        }
    out[(channel * height + y) * width + x] = fmax(sum, (half)0);
}
