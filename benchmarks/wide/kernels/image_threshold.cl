// SPDX-License-Identifier: Apache-2.0
// Thresholds a picture of bytes.
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
__kernel void image_threshold(read_only image2d_t in, write_only image2d_t out, uint least)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    if (any(at >= get_image_dim(in)))
        return;
    uint value = read_imageui(in, nearest, at).x;
    write_imageui(out, at, (uint4)(value >= least ? 255 : 0));
}
