// SPDX-License-Identifier: Apache-2.0
// Conway's game of life on a torus of bytes.
__kernel void life(__global const uchar *cells, __global uchar *next, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    int l = x == 0 ? width - 1 : x - 1, r = x == width - 1 ? 0 : x + 1;
    int u = (y == 0 ? height - 1 : y - 1) * width, d = (y == height - 1 ? 0 : y + 1) * width, m = y * width;
    int n = cells[u + l] + cells[u + x] + cells[u + r] + cells[m + l] + cells[m + r] +
            cells[d + l] + cells[d + x] + cells[d + r];
    next[m + x] = n == 3 || (n == 2 && cells[m + x]);
}
