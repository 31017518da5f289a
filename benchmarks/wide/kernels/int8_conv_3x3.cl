// SPDX-License-Identifier: Apache-2.0
// Convolution of int8, channels last, requantised to int8.
__kernel void int8_conv_3x3(__global const char *in, __global const char *filters, __constant int *bias,
                            __global char *out, int width, int channels, float scale)
{
    int k = get_global_id(0), x = get_global_id(1), y = get_global_id(2), kernels = get_global_size(0);
    int sum = bias[k];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            for (int c = 0; c < channels; c++)
                sum += in[((y + j) * width + x + i) * channels + c] * filters[((k * 3 + j) * 3 + i) * channels + c];
    out[(y * get_global_size(1) + x) * kernels + k] = convert_char_sat_rte(sum * scale);
}
