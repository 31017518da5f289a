// SPDX-License-Identifier: Apache-2.0
// Sum per work-group (256), binary tree in local memory; one partial sum per group.
#define WG 256
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void reduction(__global const float *in, __global float *partial)
{
    __local float tmp[WG];
    uint lid = get_local_id(0);
    tmp[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = WG / 2; s > 0; s >>= 1) {
        if (lid < s)
            tmp[lid] += tmp[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        partial[get_group_id(0)] = tmp[0];
}
