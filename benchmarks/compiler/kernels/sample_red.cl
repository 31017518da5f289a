// SPDX-License-Identifier: Apache-2.0
// Bilinear resize of a float image by a sampler that the compiler knows.
constant sampler_t bilinear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
                              CLK_FILTER_LINEAR;

kernel void sample_red(read_only image2d_t from, global float *to, float scale_x, float scale_y) {
    int x = get_global_id(0), y = get_global_id(1);
    float2 at = (float2)((x + 0.5f) * scale_x, (y + 0.5f) * scale_y);
    to[y * get_global_size(0) + x] = read_imagef(from, bilinear, at).x;
}
