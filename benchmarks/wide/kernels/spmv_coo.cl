// SPDX-License-Identifier: Apache-2.0
// y += A x in coordinates: floats added with a compare-and-swap loop.
void add(volatile __global float *to, float value)
{
    union { uint bits; float number; } before, after;
    do {
        before.number = *to;
        after.number = before.number + value;
    } while (atomic_cmpxchg((volatile __global uint *)to, before.bits, after.bits) != before.bits);
}
__kernel void spmv_coo(__global const int *rows, __global const int *columns, __global const float *values,
                       __global const float *x, volatile __global float *y, int count)
{
    int i = get_global_id(0);
    if (i < count)
        add(&y[rows[i]], values[i] * x[columns[i]]);
}
