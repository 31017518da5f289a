// SPDX-License-Identifier: Apache-2.0
// C = A*B, row major.  2-D range: global id 0 = column, 1 = row.
__kernel void sgemm_naive(__global const float *A, __global const float *B, __global float *C,
                          int M, int N, int K)
{
    int col = get_global_id(0);
    int row = get_global_id(1);
    if (col >= N || row >= M)
        return;
    float acc = 0.0f;
    for (int k = 0; k < K; k++)
        acc += A[row * K + k] * B[k * N + col];
    C[row * N + col] = acc;
}
