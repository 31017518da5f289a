// SPDX-License-Identifier: Apache-2.0
// y = A x: a row for each work-group, partial sums in local memory whose size is the host's choice.
__kernel void gemv_group(__global const float *a, __global const float *x, __global float *y, int n,
                         __local float *partial)
{
    int row = get_group_id(0), lid = get_local_id(0), size = get_local_size(0);
    float sum = 0.0f;
    for (int i = lid; i < n; i += size)
        sum = mad(a[row * n + i], x[i], sum);
    partial[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = size / 2; step > 0; step >>= 1) {
        if (lid < step)
            partial[lid] += partial[lid + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        y[row] = partial[0];
}
