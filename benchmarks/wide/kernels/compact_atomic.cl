// SPDX-License-Identifier: Apache-2.0
// Keeps the elements above a bound, in any order: a volatile counter gives places.
__kernel void compact_atomic(__global const float *in, __global float *out, volatile __global uint *count, float bound)
{
    float value = in[get_global_id(0)];
    if (value > bound)
        out[atomic_inc(count)] = value;
}
