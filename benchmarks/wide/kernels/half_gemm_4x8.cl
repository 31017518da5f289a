// SPDX-License-Identifier: Apache-2.0
// C = A B in half precision, 4 x 8 accumulators for each work-item.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void half_gemm_4x8(__global const half *a, __global const half *b, __global half *c, int n, int k)
{
    const int x0 = get_global_id(0) * 8, y0 = get_global_id(1) * 4;
    half acc[4][8];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++)
            acc[i][j] = 0.0h;
    for (int p = 0; p < k; p++) {
        half8 row = vload8(0, b + p * n + x0);
        half r[8] = {row.s0, row.s1, row.s2, row.s3, row.s4, row.s5, row.s6, row.s7};
        for (int i = 0; i < 4; i++) {
            half value = a[(y0 + i) * k + p];
            for (int j = 0; j < 8; j++)
                acc[i][j] = fma(value, r[j], acc[i][j]);
        }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++)
            c[(y0 + i) * n + x0 + j] = acc[i][j];
}
