// SPDX-License-Identifier: Apache-2.0
// Quantises blocks of 64 coefficients in zigzag order.
__kernel void jpeg_quantise(__global const float *in, __global short *out, __constant float *table,
                            __constant uchar *zigzag)
{
    uint i = get_global_id(0), place = i & 63;
    uint from = zigzag[place];
    out[i] = convert_short_sat_rte(in[(i & ~63u) + from] * table[from]);
}
