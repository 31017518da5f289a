// SPDX-License-Identifier: Apache-2.0
// Inverses of many 3 x 3 matrices in rows.
__kernel void inverse_3x3(__global const float *m, __global float *out, int count)
{
    int i = get_global_id(0);
    if (i >= count) return;
    float a[9];
    for (int k = 0; k < 9; k++)
        a[k] = m[9 * i + k];
    float c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8], c2 = a[3] * a[7] - a[4] * a[6];
    float d = 1.0f / (a[0] * c0 + a[1] * c1 + a[2] * c2);
    out[9 * i + 0] = c0 * d;
    out[9 * i + 1] = (a[2] * a[7] - a[1] * a[8]) * d;
    out[9 * i + 2] = (a[1] * a[5] - a[2] * a[4]) * d;
    out[9 * i + 3] = c1 * d;
    out[9 * i + 4] = (a[0] * a[8] - a[2] * a[6]) * d;
    out[9 * i + 5] = (a[2] * a[3] - a[0] * a[5]) * d;
    out[9 * i + 6] = c2 * d;
    out[9 * i + 7] = (a[1] * a[6] - a[0] * a[7]) * d;
    out[9 * i + 8] = (a[0] * a[4] - a[1] * a[3]) * d;
}
