// SPDX-License-Identifier: Apache-2.0
// Next level of a pyramid: means of 2 x 2 through normalised coordinates.
const sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
__kernel void image_halve(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    if (at.x >= get_image_width(out) || at.y >= get_image_height(out))
        return;
    float2 where = (convert_float2(at) + 0.5f) / convert_float2(get_image_dim(out));
    write_imagef(out, at, read_imagef(in, linear, where));
}
