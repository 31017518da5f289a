/* SPDX-License-Identifier: Apache-2.0 */
/* cl_khr_mipmap_image: reads images at a level of detail given explicitly or by gradients. */
#include "image_sample.h"

OVERLOAD float log2(float x) __attribute__((const));

/* The level of detail within the sampler's and the image's bounds. */
INLINE float bounded(descriptor d, uint sampler, float lod) {
    float least = (float)(sampler >> RVL_SAMPLER_LOD_MIN_SHIFT & RVL_SAMPLER_LOD_MASK);
    float most = (float)(RVL_SAMPLER_LOD_MASK - (sampler >> RVL_SAMPLER_LOD_MAX_SHIFT));
    lod = lowest_of(greatest_of(lod, least / RVL_SAMPLER_LOD_STEPS), most / RVL_SAMPLER_LOD_STEPS);
    return lowest_of(lod, (float)(d->mip_levels - 1));
}
INLINE int nearest_level(float lod) { return (int)__builtin_elementwise_ceil(lod - 0.5f); }

INLINE float4 filtered_at(descriptor d, uint sampler, float4 at, float lod, int dimensions,
                          bool layered) {
    lod = bounded(d, sampler, lod);
    if (!(sampler & RVL_SAMPLER_MIP_LINEAR))
        return filtered(d, sampler, at, nearest_level(lod), dimensions, layered);
    int level = (int)lod, next = minimum(level + 1, (int)d->mip_levels - 1);
    float4 first = filtered(d, sampler, at, level, dimensions, layered);
    float4 second = filtered(d, sampler, at, next, dimensions, layered);
    return __builtin_elementwise_fma(second - first, (float4)(lod - (float)level), first);
}
INLINE int4 integer_at(descriptor d, uint sampler, float4 at, float lod, int dimensions,
                       bool layered) {
    return sample_integer(d, sampler, at, nearest_level(bounded(d, sampler, lod)), dimensions,
                          layered);
}

/* The longer of two steps, in elements. */
INLINE float squared(float4 a) { return a.x * a.x + a.y * a.y + a.z * a.z; }
INLINE float lod_of(descriptor d, float4 x, float4 y) {
    float4 sizes = (float4)((float)d->width, (float)d->height, (float)d->depth, 0);
    return 0.5f * log2(greatest_of(squared(x * sizes), squared(y * sizes)));
}
#define GRADIENT_1 float
#define GRADIENT_2 float2
#define GRADIENT_3 float4

#define READ_LEVEL(function, result, image, access, dimensions, layered, expression)               \
    OVERLOAD result function(access image i, sampler_t s,                                          \
                             COORDINATES(dimensions, layered, float) c, float lod) {               \
        descriptor d = __rivulet_image(i);                                                         \
        uint sampler = __rivulet_sampler(s);                                                       \
        float4 at = unpacked(c, dimensions);                                                       \
        return expression;                                                                         \
    }                                                                                              \
    OVERLOAD result function(access image i, sampler_t s,                                          \
                             COORDINATES(dimensions, layered, float) c, GRADIENT_##dimensions x,   \
                             GRADIENT_##dimensions y) {                                            \
        descriptor d = __rivulet_image(i);                                                         \
        uint sampler = __rivulet_sampler(s);                                                       \
        float4 at = unpacked(c, dimensions);                                                       \
        float lod = lod_of(d, unpacked(x, dimensions + 1), unpacked(y, dimensions + 1));           \
        return expression;                                                                         \
    }
#define READ_LEVELS(image, access, dimensions, layered, ...)                                       \
    READ_LEVEL(read_imagef, float4, image, access, dimensions, layered,                            \
               filtered_at(d, sampler, at, lod, dimensions, layered))                              \
    READ_LEVEL(read_imagei, int4, image, access, dimensions, layered,                              \
               integer_at(d, sampler, at, lod, dimensions, layered))                               \
    READ_LEVEL(read_imageui, uint4, image, access, dimensions, layered,                            \
               as_uint4(integer_at(d, sampler, at, lod, dimensions, layered)))
#define READ_DEPTH_LEVELS(image, access, dimensions, layered, ...)                                 \
    READ_LEVEL(read_imagef, float, image, access, dimensions, layered,                             \
               filtered_at(d, sampler, at, lod, dimensions, layered).x)
EACH_COLOR_IMAGE(READ_LEVELS, read_only)
EACH_COLOR_IMAGE(READ_LEVELS, read_write)
EACH_DEPTH_IMAGE(READ_DEPTH_LEVELS, read_only)
EACH_DEPTH_IMAGE(READ_DEPTH_LEVELS, read_write)
