// SPDX-License-Identifier: Apache-2.0
// 3x3 Sobel magnitude (|gx|+|gy|, saturated) on an 8-bit image held in a buffer.
// One work-item per pixel; border pixels are written as 0.
__kernel void sobel(__global const uchar *src, __global uchar *dst, int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        dst[y * width + x] = 0;
        return;
    }
    __global const uchar *p = src + y * width + x;
    int a = p[-width - 1], b = p[-width], c = p[-width + 1];
    int d = p[-1],                        f = p[1];
    int g = p[width - 1],  h = p[width],  i = p[width + 1];
    int gx = (c + 2 * f + i) - (a + 2 * d + g);
    int gy = (g + 2 * h + i) - (a + 2 * b + c);
    dst[y * width + x] = convert_uchar_sat(abs(gx) + abs(gy));
}
