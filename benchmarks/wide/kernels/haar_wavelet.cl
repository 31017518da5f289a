// SPDX-License-Identifier: Apache-2.0
// A level of the Haar wavelet along rows of shorts, lifting.
__kernel void haar_wavelet(__global const short2 *in, __global short *low, __global short *high)
{
    size_t i = get_global_id(0);
    short2 pair = in[i];
    short d = pair.y - pair.x;
    high[i] = d;
    low[i] = pair.x + (d >> 1);
}
