// SPDX-License-Identifier: Apache-2.0
// y = A x in ELLPACK, columns of slots, padding marked by a negative column.
__kernel void spmv_ell(__global const int *columns, __global const float *values, __global const float *x,
                       __global float *y, int rows, int width)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int slot = 0; slot < width; ++slot) {
        int column = columns[slot * rows + row];
        if (column >= 0)
            sum += values[slot * rows + row] * x[column];
    }
    y[row] = sum;
}
