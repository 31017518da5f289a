// SPDX-License-Identifier: Apache-2.0
// One step of LU without pivoting: scales column k and updates what is right of and below it.
__kernel void lu_step(__global float *a, __global const float *column, int n, int k)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i <= k || j < k)
        return;
    float factor = column[i] / column[k];
    if (j == k)
        a[i * n + k] = factor;
    else
        a[i * n + j] -= factor * a[k * n + j];
}
