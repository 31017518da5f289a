// SPDX-License-Identifier: Apache-2.0
// 5x5 convolution, float, input padded by 2 on every side ((width+4) x (height+4)).
// 2-D range rounded up to the work-group size, hence the guard.
__kernel void conv2d(__global const float *in, __global float *out, __constant float *coef,
                     int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    int pitch = width + 4;
    float sum = 0.0f;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            sum += in[(y + j) * pitch + x + i] * coef[j * 5 + i];
    out[y * width + x] = sum;
}
