// SPDX-License-Identifier: Apache-2.0
// Looks up each pixel where a map of coordinates says (lens correction).
const sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
__kernel void image_remap(read_only image2d_t in, __global const float2 *map, __global uchar *out)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * get_global_size(0) + x;
    out[i] = convert_uchar_sat_rte(read_imagef(in, linear, map[i]).x * 255.0f);
}
