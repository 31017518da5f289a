// SPDX-License-Identifier: Apache-2.0
// A row for each sub-group of 32, one after the other, vector in strips.
__attribute__((intel_reqd_sub_group_size(32)))
__kernel void sub_group_gemv(__global const float *a, __global const float *x, __global float *y, int n, int rows)
{
    int row = get_group_id(0) * get_num_sub_groups() + get_sub_group_id();
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = get_sub_group_local_id(); i < n; i += get_max_sub_group_size())
        sum += a[row * n + i] * x[i];
    sum = sub_group_reduce_add(sum);
    if (get_sub_group_local_id() == 0)
        y[row] = sum;
}
