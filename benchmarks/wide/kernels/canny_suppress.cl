// SPDX-License-Identifier: Apache-2.0
// Canny: keeps gradients that are largest along their direction.
__kernel void canny_suppress(__global const short *gx, __global const short *gy, __global uchar *out,
                             int width, int height, int low, int high)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) {
        if (x < width && y < height)
            out[i] = 0;
        return;
    }
    int ax = abs(gx[i]), ay = abs(gy[i]), magnitude = ax + ay;
    int step;
    if (ay * 5 < ax * 2)
        step = 1;
    else if (ax * 5 < ay * 2)
        step = width;
    else
        step = (gx[i] ^ gy[i]) < 0 ? width - 1 : width + 1;
    int before = abs(gx[i - step]) + abs(gy[i - step]), after = abs(gx[i + step]) + abs(gy[i + step]);
    uchar result = 0;
    if (magnitude > low && magnitude > before && magnitude >= after)
        result = magnitude > high ? 2 : 1;
    out[i] = result;
}
