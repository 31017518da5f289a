// SPDX-License-Identifier: Apache-2.0
// Weights stored as half, sums in float; vload_half needs no extension.
__kernel void half_to_float_gemv(__global const half *weights, __global const float *x,
                                 __global float *y, int n)
{
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int i = 0; i < n; i += 4) {
        float4 w = vload_half4((row * n + i) / 4, weights);
        sum += dot(w, vload4(i / 4, x));
    }
    y[row] = sum;
}
