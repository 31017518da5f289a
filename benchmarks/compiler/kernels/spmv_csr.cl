// SPDX-License-Identifier: Apache-2.0
// y = A*x, A in CSR; one row per work-item, row lengths irregular.
__kernel void spmv_csr(__global const int *row_ptr, __global const int *col_idx,
                       __global const float *val, __global const float *x,
                       __global float *y, int rows)
{
    int row = get_global_id(0);
    if (row < rows) {
        float sum = 0.0f;
        int end = row_ptr[row + 1];
        for (int j = row_ptr[row]; j < end; j++)
            sum += val[j] * x[col_idx[j]];
        y[row] = sum;
    }
}
