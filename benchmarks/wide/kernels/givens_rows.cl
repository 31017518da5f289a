// SPDX-License-Identifier: Apache-2.0
// Givens rotation of two rows, as a step of QR does it.
__kernel void givens_rows(__global float *a, int n, int p, int q, float c, float s)
{
    int j = get_global_id(0);
    if (j < n) {
        float x = a[p * n + j], y = a[q * n + j];
        a[p * n + j] = c * x + s * y;
        a[q * n + j] = c * y - s * x;
    }
}
