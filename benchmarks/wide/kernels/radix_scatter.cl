// SPDX-License-Identifier: Apache-2.0
// Stable scatter by a digit: a work-item has its own run of keys and its own offsets.
__kernel void radix_scatter(__global const uint *keys, __global uint *out, __global const uint *offsets,
                            uint shift, int run)
{
    uint item = get_global_id(0), next[16];
    for (int d = 0; d < 16; d++)
        next[d] = offsets[d * get_global_size(0) + item];
    for (int i = 0; i < run; i++) {
        uint key = keys[item * run + i], digit = key >> shift & 15;
        out[next[digit]++] = key;
    }
}
