// SPDX-License-Identifier: Apache-2.0
// y = A x: a row for each work-item, any local size.
__kernel void gemv_rows(__global const float *a, __global const float *x, __global float *y, int n, int rows)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i)
        sum += a[row * n + i] * x[i];
    y[row] = sum;
}
