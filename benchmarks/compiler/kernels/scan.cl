// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix sum inside each work-group (256), Hillis-Steele in local memory, double buffered.
#define WG 256
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void scan(__global const uint *in, __global uint *out)
{
    __local uint buf[2][WG];
    uint lid = get_local_id(0), gid = get_global_id(0);
    int cur = 0;
    buf[0][lid] = lid > 0 ? in[gid - 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint off = 1; off < WG; off <<= 1) {
        uint v = buf[cur][lid];
        if (lid >= off)
            v += buf[cur][lid - off];
        buf[1 - cur][lid] = v;
        cur = 1 - cur;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[gid] = buf[cur][lid];
}
