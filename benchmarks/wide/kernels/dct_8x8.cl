// SPDX-License-Identifier: Apache-2.0
// Discrete cosine transform of blocks of 8 x 8, rows then columns through local memory.
__kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void dct_8x8(__global const uchar *in, __global float *out, __constant float *cosines, int width)
{
    __local float block[8][8], rows[8][8];
    int u = get_local_id(0), v = get_local_id(1);
    int i = get_global_id(1) * width + get_global_id(0);
    block[v][u] = (float)in[i] - 128.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int k = 0; k < 8; k++)
        sum += block[v][k] * cosines[u * 8 + k];
    rows[v][u] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0.0f;
    for (int k = 0; k < 8; k++)
        sum += rows[k][u] * cosines[v * 8 + k];
    out[i] = sum;
}
