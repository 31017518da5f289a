// SPDX-License-Identifier: Apache-2.0
// One stage of a radix-2 FFT (Stockham), twiddles computed.
__kernel void fft_radix2(__global const float2 *in, __global float2 *out, int n, int p)
{
    int i = get_global_id(0), k = i & (p - 1);
    float2 a = in[i], b = in[i + n / 2];
    float c, s = sincos(-M_PI_F * k / p, &c);
    b = (float2)(b.x * c - b.y * s, b.x * s + b.y * c);
    int j = (i << 1) - k;
    out[j] = a + b;
    out[j + p] = a - b;
}
