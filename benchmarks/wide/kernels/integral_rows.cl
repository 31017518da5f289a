// SPDX-License-Identifier: Apache-2.0
// Running sums along rows: the first half of an integral image, a row for each work-item.
__kernel void integral_rows(__global const uchar *in, __global uint *out, int width, int height)
{
    int y = get_global_id(0);
    if (y >= height)
        return;
    uint sum = 0;
    for (int x = 0; x < width; ++x) {
        sum += in[y * width + x];
        out[y * width + x] = sum;
    }
}
