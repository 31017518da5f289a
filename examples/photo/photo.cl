// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the photograph demo, OpenCL C 1.2. Pictures are row by row, one uchar (grey) or
// uchar4 (colour) per pixel. Two-dimensional launches are rounded up to whole work-groups, so every
// such kernel starts by asking whether its pixel exists.

// ITU-R BT.601 luma in eighths of a bit: the weights add up to 256.
kernel void grey(global const uchar4 *colour, global uchar *luma, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    uint4 c = convert_uint4(colour[y * width + x]);
    luma[y * width + x] = (77 * c.x + 150 * c.y + 29 * c.z + 128) >> 8;
}

// One half of a separable filter; pixels beyond the border repeat it.
kernel void blur_rows(global const uchar *in, global float *out, constant float *weights,
                      int radius, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int d = -radius; d <= radius; ++d)
        sum += weights[d + radius] * in[y * width + clamp(x + d, 0, width - 1)];
    out[y * width + x] = sum;
}

kernel void blur_columns(global const float *in, global uchar *out, constant float *weights,
                         int radius, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int d = -radius; d <= radius; ++d)
        sum += weights[d + radius] * in[clamp(y + d, 0, height - 1) * width + x];
    out[y * width + x] = convert_uchar_sat_rte(sum);
}

// The strength of edges; the frame of one pixel stays black.
kernel void sobel(global const uchar *in, global uchar *out, int width, int height) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float strength = 0.0f;
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
        global const uchar *p = in + y * width + x;
        int gx = p[1 - width] + 2 * p[1] + p[1 + width] - p[-1 - width] - 2 * p[-1] - p[width - 1];
        int gy = p[width - 1] + 2 * p[width] + p[width + 1] - p[-1 - width] - 2 * p[-width] -
                 p[1 - width];
        strength = sqrt((float)(gx * gx + gy * gy));
    }
    out[y * width + x] = convert_uchar_sat_rte(strength);
}

// Counts in local memory first, so that work-groups meet in global memory only 256 times each.
kernel void histogram(global const uchar *in, global uint *counts, int pixels) {
    local uint own[256];
    for (int bin = get_local_id(0); bin < 256; bin += get_local_size(0))
        own[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < pixels; i += get_global_size(0))
        atomic_inc(&own[in[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int bin = get_local_id(0); bin < 256; bin += get_local_size(0))
        if (own[bin] != 0)
            atomic_add(&counts[bin], own[bin]);
}

// One work-group of 256: inclusive scan of the histogram, then the table that spreads the grey
// levels evenly. Whole numbers throughout.
kernel void level_table(global const uint *counts, global uchar *levels, local uint *sums,
                        uint pixels) {
    uint level = get_local_id(0);
    sums[level] = counts[level];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < 256; step *= 2) {
        uint before = level >= step ? sums[level - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[level] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    local uint darkest;
    if (level == 0)
        darkest = pixels;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (sums[level] != 0)
        atomic_min(&darkest, sums[level]);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint range = max(pixels - darkest, 1u);
    uint above = sums[level] - min(darkest, sums[level]);
    levels[level] = (uchar)(((ulong)above * 255 + range / 2) / range);
}

kernel void equalise(global const uchar *in, global uchar *out, global const uchar *levels,
                     int pixels) {
    int i = get_global_id(0);
    if (i < pixels)
        out[i] = levels[in[i]];
}

// Gives the photograph the new brightness and leaves its hues.
kernel void recolour(global const uchar4 *colour, global const uchar *before,
                     global const uchar *after, global uchar4 *out, int pixels) {
    int i = get_global_id(0);
    if (i >= pixels)
        return;
    float gain = (float)after[i] / (float)max(before[i], (uchar)1);
    uchar4 result = convert_uchar4_sat_rte(convert_float4(colour[i]) * gain);
    result.w = 255;
    out[i] = result;
}
