// SPDX-License-Identifier: Apache-2.0
// 1-D, one work-item per element; global size = element count (no guard needed).
__kernel void saxpy(float a, __global const float *x, __global float *y)
{
    size_t i = get_global_id(0);
    y[i] = a * x[i] + y[i];
}
