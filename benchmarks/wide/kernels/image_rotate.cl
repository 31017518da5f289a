// SPDX-License-Identifier: Apache-2.0
// Rotation about the centre, linear filtering.
const sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
__kernel void image_rotate(read_only image2d_t in, __global float4 *out, float c, float s)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    float dx = x - 0.5f * w + 0.5f, dy = y - 0.5f * h + 0.5f;
    float2 from = (float2)(c * dx + s * dy, c * dy - s * dx) + 0.5f * (float2)(get_image_width(in), get_image_height(in));
    out[y * w + x] = read_imagef(in, linear, from);
}
