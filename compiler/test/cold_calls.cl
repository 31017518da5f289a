// SPDX-License-Identifier: Apache-2.0
// Work-groups that are cut short run in a function of their own, which keeps the vectors that live
// over its call: the others neither store nor load them.
// RUN: %cc %s -cl-std=CL3.0 --vlen 512 --stats -o %t 2>&1 | FileCheck %s
// CHECK: kernel permuted: {{.*}} 0 vector spills
// RUN: %cc %s -cl-std=CL3.0 --target rv64gc -o %t
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void permuted(global const uint *in,
                                                                     global uint *out, uint k) {
    local uint tile[64];
    uint lid = get_local_id(0), gid = get_global_id(0);
    tile[lid] = in[gid];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[gid] = tile[lid * k & 63];
}
