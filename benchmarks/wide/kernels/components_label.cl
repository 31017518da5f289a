// SPDX-License-Identifier: Apache-2.0
// A step of connected components: each pixel takes the least label about it.
__kernel void components_label(__global const uchar *pixels, __global const int *labels, __global int *next,
                               int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * width + x;
    if (x >= width || y >= height)
        return;
    uchar p = pixels[i];
    int label = labels[i];
    if (x > 0 && pixels[i - 1] == p)
        label = min(label, labels[i - 1]);
    if (x + 1 < width && pixels[i + 1] == p)
        label = min(label, labels[i + 1]);
    if (y > 0 && pixels[i - width] == p)
        label = min(label, labels[i - width]);
    if (y + 1 < height && pixels[i + width] == p)
        label = min(label, labels[i + width]);
    next[i] = label;
}
