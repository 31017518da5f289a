// SPDX-License-Identifier: Apache-2.0
// 256-bin histogram of bytes: local atomics per work-group (256), then one global atomic per bin.
// Every work-item reads several elements, a whole launch apart.
#define BINS 256
__kernel __attribute__((reqd_work_group_size(BINS, 1, 1)))
void histogram(__global const uchar *data, __global uint *hist, uint n)
{
    __local uint bins[BINS];
    uint lid = get_local_id(0);
    bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[data[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&hist[lid], bins[lid]);
}
