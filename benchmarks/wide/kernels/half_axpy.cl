// SPDX-License-Identifier: Apache-2.0
// y += a x in half precision.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void half_axpy(__global const half *x, __global half *y, float a)
{
    size_t i = get_global_id(0);
    y[i] = fma((half)a, x[i], y[i]);
}
