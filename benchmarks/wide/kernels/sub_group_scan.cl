// SPDX-License-Identifier: Apache-2.0
// Places of flagged elements within the group, by scans of sub-groups.
__kernel void sub_group_scan(__global const int *flags, __global int *places)
{
    __local int sums[256];
    int flag = flags[get_global_id(0)] & 1;
    int before = sub_group_scan_exclusive_add(flag);
    if (get_sub_group_local_id() == get_sub_group_size() - 1)
        sums[get_sub_group_id()] = before + flag;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < get_sub_group_id(); i++)
        before += sums[i];
    places[get_global_id(0)] = flag ? before : -1;
}
