/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.14.2, 6.12.14.3: reading images. */
#include "image_sample.h"

#define READ_SAMPLED(image, access, dimensions, layered, T)                                        \
    OVERLOAD float4 read_imagef(access image i, sampler_t s,                                       \
                                COORDINATES(dimensions, layered, T) c) {                           \
        return filtered(__rivulet_image(i), __rivulet_sampler(s), unpacked(c, dimensions), 0,      \
                        dimensions, layered);                                                      \
    }                                                                                              \
    OVERLOAD half4 read_imageh(access image i, sampler_t s,                                        \
                               COORDINATES(dimensions, layered, T) c) {                            \
        return __builtin_convertvector(read_imagef(i, s, c), half4);                               \
    }                                                                                              \
    OVERLOAD int4 read_imagei(access image i, sampler_t s,                                         \
                              COORDINATES(dimensions, layered, T) c) {                             \
        return sample_integer(__rivulet_image(i), __rivulet_sampler(s), unpacked(c, dimensions),   \
                              0, dimensions, layered);                                             \
    }                                                                                              \
    OVERLOAD uint4 read_imageui(access image i, sampler_t s,                                       \
                                COORDINATES(dimensions, layered, T) c) {                           \
        return as_uint4(read_imagei(i, s, c));                                                     \
    }
EACH_COLOR_IMAGE(READ_SAMPLED, read_only, float)
EACH_COLOR_IMAGE(READ_SAMPLED, read_only, int)

#define READ_DEPTH_SAMPLED(image, access, dimensions, layered, T)                                  \
    OVERLOAD float read_imagef(access image i, sampler_t s,                                        \
                               COORDINATES(dimensions, layered, T) c) {                            \
        return filtered(__rivulet_image(i), __rivulet_sampler(s), unpacked(c, dimensions), 0,      \
                        dimensions, layered)                                                       \
            .x;                                                                                    \
    }
EACH_DEPTH_IMAGE(READ_DEPTH_SAMPLED, read_only, float)
EACH_DEPTH_IMAGE(READ_DEPTH_SAMPLED, read_only, int)

/* Without a sampler: the coordinates are guaranteed to be inside the image. */
#define READ_DIRECT(image, access, dimensions, layered, ...)                                       \
    OVERLOAD float4 read_imagef(access image i, COORDINATES(dimensions, layered, int) c) {         \
        return filtered(__rivulet_image(i), CLK_ADDRESS_NONE, unpacked(c, dimensions), 0,          \
                        dimensions, layered);                                                      \
    }                                                                                              \
    OVERLOAD half4 read_imageh(access image i, COORDINATES(dimensions, layered, int) c) {          \
        return __builtin_convertvector(read_imagef(i, c), half4);                                  \
    }                                                                                              \
    OVERLOAD int4 read_imagei(access image i, COORDINATES(dimensions, layered, int) c) {           \
        return sample_integer(__rivulet_image(i), CLK_ADDRESS_NONE, unpacked(c, dimensions), 0,    \
                              dimensions, layered);                                                \
    }                                                                                              \
    OVERLOAD uint4 read_imageui(access image i, COORDINATES(dimensions, layered, int) c) {         \
        return as_uint4(read_imagei(i, c));                                                        \
    }
#define READ_DEPTH_DIRECT(image, access, dimensions, layered, ...)                                 \
    OVERLOAD float read_imagef(access image i, COORDINATES(dimensions, layered, int) c) {          \
        return filtered(__rivulet_image(i), CLK_ADDRESS_NONE, unpacked(c, dimensions), 0,          \
                        dimensions, layered)                                                       \
            .x;                                                                                    \
    }
#define READS_DIRECT(access)                                                                       \
    EACH_COLOR_IMAGE(READ_DIRECT, access)                                                          \
    EACH_BUFFER_IMAGE(READ_DIRECT, access)                                                         \
    EACH_DEPTH_IMAGE(READ_DEPTH_DIRECT, access)
READS_DIRECT(read_only)
READS_DIRECT(read_write)
