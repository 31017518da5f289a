// SPDX-License-Identifier: Apache-2.0
// Exclusive sums of blocks, up and down a tree in local memory.
__kernel void scan_blelloch(__global const int *in, __global int *out, __global int *sums, __local int *t)
{
    int lid = get_local_id(0), n = 2 * get_local_size(0), base = get_group_id(0) * n, offset = 1;
    t[2 * lid] = in[base + 2 * lid];
    t[2 * lid + 1] = in[base + 2 * lid + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d)
            t[offset * (2 * lid + 2) - 1] += t[offset * (2 * lid + 1) - 1];
        offset *= 2;
    }
    if (lid == 0) {
        sums[get_group_id(0)] = t[n - 1];
        t[n - 1] = 0;
    }
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d) {
            int a = offset * (2 * lid + 1) - 1, b = offset * (2 * lid + 2) - 1, before = t[a];
            t[a] = t[b];
            t[b] += before;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * lid] = t[2 * lid];
    out[base + 2 * lid + 1] = t[2 * lid + 1];
}
