// SPDX-License-Identifier: Apache-2.0
// C = A^T B, no tiles.
__kernel void gemm_at_b(__global const float *a, __global const float *b, __global float *c,
                        uint m, uint n, uint k)
{
    size_t col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint p = 0; p < k; p++)
        sum += a[p * m + row] * b[p * n + col];
    c[row * n + col] = sum;
}
