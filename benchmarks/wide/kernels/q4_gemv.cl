// SPDX-License-Identifier: Apache-2.0
// Weights of 4 bits in blocks of 32 with a half scale (as language models are stored), float vector.
typedef struct { half scale; uchar nibbles[16]; } block;
__kernel void q4_gemv(__global const block *weights, __global const float *x, __global float *y, int blocks)
{
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int b = 0; b < blocks; ++b) {
        __global const block *w = weights + row * blocks + b;
        float part = 0.0f;
        for (int i = 0; i < 16; ++i) {
            part += x[b * 32 + i] * ((w->nibbles[i] & 15) - 8);
            part += x[b * 32 + 16 + i] * ((w->nibbles[i] >> 4) - 8);
        }
        sum += part * vload_half(0, &w->scale);
    }
    y[row] = sum;
}
