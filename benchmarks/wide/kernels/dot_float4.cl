// SPDX-License-Identifier: Apache-2.0
// Partial sums of a dot product, float4 at a time with a grid stride.
__kernel void dot_float4(__global const float4 *x, __global const float4 *y, __global float *partial, int n4)
{
    float4 sum = (float4)(0.0f);
    for (int i = get_global_id(0); i < n4; i += get_global_size(0))
        sum += x[i] * y[i];
    partial[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}
