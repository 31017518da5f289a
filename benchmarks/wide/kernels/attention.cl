// SPDX-License-Identifier: Apache-2.0
// Attention of one query for each work-item with a running maximum (causal), head of 16.
#define D 16
__kernel void attention(__global const float *q, __global const float *k, __global const float *v,
                        __global float *out, float scale)
{
    int i = get_global_id(0);
    float query[D], acc[D], most = -1e30f, sum = 0.0f;
    for (int d = 0; d < D; d++) {
        query[d] = q[i * D + d] * scale;
        acc[d] = 0.0f;
    }
    for (int j = 0; j <= i; j++) {
        float score = 0.0f;
        for (int d = 0; d < D; d++)
            score += query[d] * k[j * D + d];
        float next = fmax(most, score), keep = exp(most - next), p = exp(score - next);
        sum = sum * keep + p;
        for (int d = 0; d < D; d++)
            acc[d] = acc[d] * keep + p * v[j * D + d];
        most = next;
    }
    for (int d = 0; d < D; d++)
        out[i * D + d] = acc[d] / sum;
}
