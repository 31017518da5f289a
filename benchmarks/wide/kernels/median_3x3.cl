// SPDX-License-Identifier: Apache-2.0
// Median of nine bytes by a sorting network, borders replicated.
#define SORT(a, b) { uchar t = min(a, b); b = max(a, b); a = t; }
__kernel void median_3x3(__global const uchar *in, __global uchar *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    uchar p[9];
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            p[3 * (j + 1) + i + 1] = in[clamp(y + j, 0, height - 1) * width + clamp(x + i, 0, width - 1)];
    SORT(p[1], p[2]) SORT(p[4], p[5]) SORT(p[7], p[8])
    SORT(p[0], p[1]) SORT(p[3], p[4]) SORT(p[6], p[7])
    SORT(p[1], p[2]) SORT(p[4], p[5]) SORT(p[7], p[8])
    SORT(p[0], p[3]) SORT(p[5], p[8]) SORT(p[4], p[7])
    SORT(p[3], p[6]) SORT(p[1], p[4]) SORT(p[2], p[5])
    SORT(p[4], p[7]) SORT(p[4], p[2]) SORT(p[6], p[4])
    SORT(p[4], p[2])
    out[y * width + x] = p[4];
}
