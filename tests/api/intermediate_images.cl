// SPDX-License-Identifier: Apache-2.0
// Kernels that intermediate.cpp runs, as SPIR-V: images and samplers.
constant sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

float4 pixel(read_only image2d_t image, sampler_t sampler, float2 at) {
    return read_imagef(image, sampler, at);
}

// Each texel's neighbour to the lower right, plus the mean of the four around its lower right corner.
kernel void neighbours(read_only image2d_t from, sampler_t linear, write_only image2d_t to) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 corner = convert_float2(at) + 1.0f;
    float2 size = convert_float2(get_image_dim(from));
    write_imagef(to, at, pixel(from, nearest, corner + 0.5f) + pixel(from, linear, corner / size));
}

kernel void layers(read_only image2d_array_t from, write_only image3d_t to, global uint *sizes) {
    int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    uint4 texel = read_imageui(from, at);
    write_imageui(to, at, texel.wzyx);
    sizes[0] = get_image_array_size(from);
    sizes[1] = get_image_depth(to);
    sizes[2] = get_image_channel_order(from);
}
