// SPDX-License-Identifier: Apache-2.0
// y = A x, A in diagonals.
__kernel void spmv_dia(__constant int *offsets, __global const float *values, __global const float *x,
                       __global float *y, int n, int diagonals)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int d = 0; d < diagonals; d++) {
        int col = row + offsets[d];
        if (col >= 0 && col < n)
            sum += values[d * n + row] * x[col];
    }
    y[row] = sum;
}
