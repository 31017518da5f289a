// SPDX-License-Identifier: Apache-2.0
// Rows divided by their root mean square; a row for each group.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void half_rms_norm(__global const half *in, __global const half *scale, __global half *out, int n)
{
    __local float sums[64];
    int row = get_group_id(0), lid = get_local_id(0), size = get_local_size(0);
    float sum = 0;
    for (int i = lid; i < n; i += size) {
        float v = in[row * n + i];
        sum += v * v;
    }
    sums[lid] = sum;
    for (int step = size / 2; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < step)
            sums[lid] += sums[lid + step];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float factor = rsqrt(sums[0] / n + 1e-5f);
    for (int i = lid; i < n; i += size)
        out[row * n + i] = (half)(in[row * n + i] * factor) * scale[i];
}
