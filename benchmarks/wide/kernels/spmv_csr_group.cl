// SPDX-License-Identifier: Apache-2.0
// y = A x in CSR: 32 work-items for each row, as on GPUs.
#define WIDTH 32
__kernel void spmv_csr_group(__global const uint *starts, __global const uint *columns,
                             __global const float *values, __global const float *x, __global float *y)
{
    __local volatile float sums[128];
    const uint lid = get_local_id(0), lane = lid & (WIDTH - 1);
    const uint row = get_global_id(0) / WIDTH;
    float sum = 0.0f;
    for (uint j = starts[row] + lane; j < starts[row + 1]; j += WIDTH)
        sum += values[j] * x[columns[j]];
    sums[lid] = sum;
    for (uint step = WIDTH / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < step)
            sums[lid] += sums[lid + step];
    }
    if (lane == 0)
        y[row] = sums[lid];
}
