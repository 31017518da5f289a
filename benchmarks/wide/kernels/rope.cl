// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding of pairs of halves of a head.
__kernel void rope(__global float *x, __global const int *positions, int half_size, float base)
{
    int i = get_global_id(0), token = get_global_id(1), n = 2 * half_size;
    float angle = positions[token] * pow(base, -(float)i / half_size);
    float c = cos(angle), s = sin(angle);
    float a = x[token * n + i], b = x[token * n + i + half_size];
    x[token * n + i] = a * c - b * s;
    x[token * n + i + half_size] = a * s + b * c;
}
