// SPDX-License-Identifier: Apache-2.0
// One stage of a radix-4 FFT (Stockham), twiddles from a table.
float2 times(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__kernel void fft_radix4(__global const float2 *in, __global float2 *out, __global const float2 *twiddles, int n, int p)
{
    int i = get_global_id(0), quarter = n / 4, k = i & (p - 1), step = quarter / p;
    float2 a = in[i], b = times(in[i + quarter], twiddles[k * step]);
    float2 c = times(in[i + 2 * quarter], twiddles[2 * k * step]), d = times(in[i + 3 * quarter], twiddles[3 * k * step]);
    float2 e = a + c, f = a - c, g = b + d, h = (float2)(b.y - d.y, d.x - b.x);
    int j = ((i - k) << 2) + k;
    out[j] = e + g;
    out[j + p] = f + h;
    out[j + 2 * p] = e - g;
    out[j + 3 * p] = f - h;
}
