// SPDX-License-Identifier: Apache-2.0
// Gaussian blur 5 x 5 from image to image, sampler as an argument.
__constant float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
__kernel void image_gauss(__read_only image2d_t in, __write_only image2d_t out, sampler_t nearest)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = (float4)(0.0f);
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++)
            sum += weights[i + 2] * weights[j + 2] * read_imagef(in, nearest, at + (int2)(i, j));
    write_imagef(out, at, sum);
}
