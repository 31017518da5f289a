// SPDX-License-Identifier: Apache-2.0
// Dot products of rows of signed bytes, scales for blocks of 32.
__kernel void q8_dot(__global const char *a, __global const float *a_scales, __global const char *x,
                     __global const float *x_scales, __global float *y, int n)
{
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int b = 0; b < n / 32; b++) {
        int part = 0;
        for (int i = 0; i < 32; i++)
            part += a[row * n + b * 32 + i] * x[b * 32 + i];
        sum += part * a_scales[row * (n / 32) + b] * x_scales[b];
    }
    y[row] = sum;
}
