// SPDX-License-Identifier: Apache-2.0
// 1-D; global size rounded up to a multiple of the work-group size (256), hence the guard.
__kernel void vecadd(__global const float *a, __global const float *b, __global float *c, uint n)
{
    uint i = get_global_id(0);
    if (i >= n)
        return;
    c[i] = a[i] + b[i];
}
