// SPDX-License-Identifier: Apache-2.0
// Digits of keys, counted for each group in local memory.
__kernel void radix_count(__global const uint *keys, __global uint *counts, uint shift, uint n)
{
    __local uint bins[16];
    uint lid = get_local_id(0);
    if (lid < 16)
        bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[keys[i] >> shift & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 16)
        counts[lid * get_num_groups(0) + get_group_id(0)] = bins[lid];
}
