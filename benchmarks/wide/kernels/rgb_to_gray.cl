// SPDX-License-Identifier: Apache-2.0
// Luma of pixels of three bytes.
__kernel void rgb_to_gray(__global const uchar *rgb, __global uchar *gray, uint n)
{
    uint i = get_global_id(0);
    if (i < n)
        gray[i] = (66 * rgb[3 * i] + 129 * rgb[3 * i + 1] + 25 * rgb[3 * i + 2] + 4224) >> 8;
}
