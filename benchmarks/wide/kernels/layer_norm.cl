// SPDX-License-Identifier: Apache-2.0
// Layer normalisation, a row for each work-item.
__kernel void layer_norm(__global const float *in, __global const float *gain, __global const float *bias,
                         __global float *out, int n)
{
    int row = get_global_id(0);
    float mean = 0, square = 0;
    for (int i = 0; i < n; i++)
        mean += in[row * n + i];
    mean /= n;
    for (int i = 0; i < n; i++) {
        float d = in[row * n + i] - mean;
        square += d * d;
    }
    float factor = rsqrt(square / n + 1e-5f);
    for (int i = 0; i < n; i++)
        out[row * n + i] = (in[row * n + i] - mean) * factor * gain[i] + bias[i];
}
