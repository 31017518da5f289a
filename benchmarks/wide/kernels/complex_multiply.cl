// SPDX-License-Identifier: Apache-2.0
// Products of complex numbers, interleaved.
__kernel void complex_multiply(__global const float2 *a, __global const float2 *b, __global float2 *c)
{
    size_t i = get_global_id(0);
    float2 x = a[i], y = b[i];
    c[i] = (float2)(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
