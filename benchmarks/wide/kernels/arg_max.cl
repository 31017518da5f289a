// SPDX-License-Identifier: Apache-2.0
// Largest element of each block and where it is.
__kernel void arg_max(__global const float *in, __global float *most, __global int *where)
{
    __local float values[128];
    __local int indices[128];
    int lid = get_local_id(0), gid = get_global_id(0);
    values[lid] = in[gid];
    indices[lid] = gid;
    for (int s = get_local_size(0) >> 1; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < s && (values[lid + s] > values[lid] ||
                        (values[lid + s] == values[lid] && indices[lid + s] < indices[lid]))) {
            values[lid] = values[lid + s];
            indices[lid] = indices[lid + s];
        }
    }
    if (lid == 0) {
        most[get_group_id(0)] = values[0];
        where[get_group_id(0)] = indices[0];
    }
}
