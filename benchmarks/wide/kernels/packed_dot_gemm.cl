// SPDX-License-Identifier: Apache-2.0
// Int8 matrix product with packed dot products of four.
#pragma OPENCL EXTENSION cl_khr_integer_dot_product : enable
__kernel void packed_dot_gemm(__global const uint *a, __global const uint *b, __global int *c, int n, int k4)
{
    int x = get_global_id(0), y = get_global_id(1), sum = 0;
    for (int p = 0; p < k4; p++)
        sum = dot_acc_sat_4x8packed_ss_int(a[y * k4 + p], b[p * n + x], sum);
    c[y * n + x] = sum;
}
