// SPDX-License-Identifier: Apache-2.0
// Monte Carlo estimate of pi, a xorshift generator for each work-item.
__kernel void pi_xorshift(__global const uint *seeds, __global uint *hits, uint trials)
{
    uint state = seeds[get_global_id(0)], inside = 0;
    for (uint t = 0; t < trials; t++) {
        state ^= state << 13; state ^= state >> 17; state ^= state << 5;
        float x = (state >> 8) * 0x1p-24f;
        state ^= state << 13; state ^= state >> 17; state ^= state << 5;
        float y = (state >> 8) * 0x1p-24f;
        if (x * x + y * y < 1.0f)
            inside++;
    }
    hits[get_global_id(0)] = inside;
}
