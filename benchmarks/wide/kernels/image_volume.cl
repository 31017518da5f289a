// SPDX-License-Identifier: Apache-2.0
// Maximum along z through a volume (medical pictures).
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void image_volume(read_only image3d_t volume, __global float *out)
{
    int x = get_global_id(0), y = get_global_id(1), depth = get_image_depth(volume);
    float most = -INFINITY;
    for (int z = 0; z < depth; z++)
        most = fmax(most, read_imagef(volume, nearest, (int4)(x, y, z, 0)).x);
    out[y * get_global_size(0) + x] = most;
}
