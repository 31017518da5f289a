// SPDX-License-Identifier: Apache-2.0
// Column k of a Cholesky factor from the columns left of it (left-looking).
__kernel void cholesky_column(__global const double *a, __global double *l, int n, int k)
{
    int i = k + get_global_id(0);
    if (i >= n)
        return;
    double sum = a[i * n + k], diagonal = a[k * n + k];
    for (int j = 0; j < k; ++j) {
        sum -= l[i * n + j] * l[k * n + j];
        diagonal -= l[k * n + j] * l[k * n + j];
    }
    l[i * n + k] = i == k ? sqrt(diagonal) : sum / sqrt(diagonal);
}
