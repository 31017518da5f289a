// SPDX-License-Identifier: Apache-2.0
// Sorts by counting smaller elements.
__kernel void rank_sort(__global const float *in, __global float *out, int n)
{
    int i = get_global_id(0), rank = 0;
    float mine = in[i];
    for (int j = 0; j < n; j++) {
        float other = in[j];
        rank += other < mine || (other == mine && j < i);
    }
    out[rank] = mine;
}
