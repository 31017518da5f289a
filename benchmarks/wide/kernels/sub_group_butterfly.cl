// SPDX-License-Identifier: Apache-2.0
// Softmax of rows of one sub-group of 16, sums by exchange.
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void sub_group_butterfly(__global const float *in, __global float *out)
{
    float x = in[get_global_id(0)], most = x;
    for (int mask = 8; mask > 0; mask >>= 1)
        most = fmax(most, intel_sub_group_shuffle_xor(most, mask));
    float e = exp(x - most), sum = e;
    for (int mask = 8; mask > 0; mask >>= 1)
        sum += intel_sub_group_shuffle_xor(sum, mask);
    out[get_global_id(0)] = e / sum;
}
