// SPDX-License-Identifier: Apache-2.0
// Finite impulse response, complex samples, real taps.
__kernel void fir_filter(__global const float2 *samples, __constant float *taps, __global float2 *out, int count)
{
    int i = get_global_id(0);
    float2 sum = 0;
    for (int t = 0; t < count; t++)
        sum += samples[i + t] * taps[t];
    out[i] = sum;
}
