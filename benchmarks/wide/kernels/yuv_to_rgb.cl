// SPDX-License-Identifier: Apache-2.0
// NV12 to RGB, integers.
__kernel void yuv_to_rgb(__global const uchar *luma, __global const uchar *chroma, __global uchar *rgb,
                         int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height) {
        int c = 298 * (luma[y * width + x] - 16);
        int u = chroma[(y / 2) * width + (x & ~1)] - 128, v = chroma[(y / 2) * width + (x | 1)] - 128;
        __global uchar *out = rgb + 3 * (y * width + x);
        out[0] = convert_uchar_sat((c + 409 * v + 128) >> 8);
        out[1] = convert_uchar_sat((c - 100 * u - 208 * v + 128) >> 8);
        out[2] = convert_uchar_sat((c + 516 * u + 128) >> 8);
    }
}
