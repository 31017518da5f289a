// SPDX-License-Identifier: Apache-2.0
// Softmax, a row for each group, three passes.
__kernel void softmax_rows(__global const float *in, __global float *out, int n, __local float *t)
{
    int row = get_group_id(0), lid = get_local_id(0), size = get_local_size(0);
    in += row * n;
    out += row * n;
    float most = -INFINITY;
    for (int i = lid; i < n; i += size)
        most = fmax(most, in[i]);
    t[lid] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = size / 2; s > 0; s >>= 1) {
        if (lid < s)
            t[lid] = fmax(t[lid], t[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    most = t[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = lid; i < n; i += size)
        sum += exp(in[i] - most);
    t[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = size / 2; s > 0; s >>= 1) {
        if (lid < s)
            t[lid] += t[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float factor = 1.0f / t[0];
    for (int i = lid; i < n; i += size)
        out[i] = exp(in[i] - most) * factor;
}
