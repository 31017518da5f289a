// SPDX-License-Identifier: Apache-2.0
// Compacts with one atomic for each sub-group.
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
__kernel void sub_group_ballot(__global const uint *in, __global uint *out, volatile __global uint *count, uint bound)
{
    uint value = in[get_global_id(0)];
    int keep = value < bound;
    uint4 votes = sub_group_ballot(keep);
    uint base = 0;
    if (get_sub_group_local_id() == 0)
        base = atomic_add(count, sub_group_ballot_bit_count(votes));
    base = sub_group_broadcast(base, 0);
    if (keep)
        out[base + sub_group_ballot_exclusive_scan(votes)] = value;
}
