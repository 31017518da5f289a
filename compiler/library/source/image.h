/* SPDX-License-Identifier: Apache-2.0 */
/* Images: what reading, writing and queries share. An image argument is a pointer to its
 * descriptor; the compiler takes the __rivulet_… conversions away.
 */
#ifndef RIVULET_LIBRARY_IMAGE_H
#define RIVULET_LIBRARY_IMAGE_H

#include "builtin.h"

#define kernel kernel_address /* a field there, a keyword here */
#include "hal/protocol/launch.h"
#undef kernel

#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable

typedef const global rvl_image_descriptor *descriptor;

#define RVL_UNORM_INT_2_101010 0x10E5 /* cl_ext_image_unorm_int_2_101010 */

/* F(image type, access, dimensions that are addressed, whether a layer follows, …) */
#define EACH_COLOR_IMAGE(F, access, ...)                                                           \
    F(image1d_t, access, 1, 0, __VA_ARGS__)                                                        \
    F(image1d_array_t, access, 1, 1, __VA_ARGS__)                                                  \
    F(image2d_t, access, 2, 0, __VA_ARGS__)                                                        \
    F(image2d_array_t, access, 2, 1, __VA_ARGS__)                                                  \
    F(image3d_t, access, 3, 0, __VA_ARGS__)
#define EACH_BUFFER_IMAGE(F, access, ...) F(image1d_buffer_t, access, 1, 0, __VA_ARGS__)
#define EACH_DEPTH_IMAGE(F, access, ...)                                                           \
    F(image2d_depth_t, access, 2, 0, __VA_ARGS__)                                                  \
    F(image2d_array_depth_t, access, 2, 1, __VA_ARGS__)
#define EACH_IMAGE(F, access, ...)                                                                 \
    EACH_COLOR_IMAGE(F, access, __VA_ARGS__)                                                       \
    EACH_BUFFER_IMAGE(F, access, __VA_ARGS__)                                                      \
    EACH_DEPTH_IMAGE(F, access, __VA_ARGS__)

#define DECLARE_CONVERSION(image, access, ...)                                                     \
    OVERLOAD descriptor __rivulet_image(access image i) __attribute__((const));
EACH_IMAGE(DECLARE_CONVERSION, read_only)
EACH_IMAGE(DECLARE_CONVERSION, write_only)
EACH_IMAGE(DECLARE_CONVERSION, read_write)
OVERLOAD uint __rivulet_sampler(sampler_t s) __attribute__((const));

/* The vector of integer coordinates, and where the layer is in it. */
#define COORDINATES_10(T) T
#define COORDINATES_11(T) T##2
#define COORDINATES_20(T) T##2
#define COORDINATES_21(T) T##4
#define COORDINATES_30(T) T##4
#define COORDINATES(dimensions, layered, T) COORDINATES_##dimensions##layered(T)

/* Coordinates as four components; the last one is the layer, or 0. */
INLINE OVERLOAD int4 unpacked(int c, int dimensions) { return (int4)(c, 0, 0, 0); }
INLINE OVERLOAD int4 unpacked(int2 c, int dimensions) {
    return dimensions == 1 ? (int4)(c.x, 0, 0, c.y) : (int4)(c.x, c.y, 0, 0);
}
INLINE OVERLOAD int4 unpacked(int4 c, int dimensions) {
    return dimensions == 2 ? (int4)(c.x, c.y, 0, c.z) : (int4)(c.x, c.y, c.z, 0);
}
INLINE OVERLOAD float4 unpacked(float c, int dimensions) { return (float4)(c, 0, 0, 0); }
INLINE OVERLOAD float4 unpacked(float2 c, int dimensions) {
    return dimensions == 1 ? (float4)(c.x, 0, 0, c.y) : (float4)(c.x, c.y, 0, 0);
}
INLINE OVERLOAD float4 unpacked(float4 c, int dimensions) {
    return dimensions == 2 ? (float4)(c.x, c.y, 0, c.z) : (float4)(c.x, c.y, c.z, 0);
}

INLINE int clamped_index(int i, int size) { return maximum(minimum(i, size - 1), 0); }

/* Images are smaller than 4 GiB: 32-bit offsets. */
INLINE uint offset_of(descriptor d, int x, int y, int z) {
    return (uint)x * d->element_bytes + (uint)y * (uint)d->row_pitch +
           (uint)z * (uint)d->slice_pitch;
}

/* Mip levels: rvl_image_descriptor says where they are. */
INLINE int at_level(uint extent, int level) {
    return level ? maximum((int)extent >> level, 1) : (int)extent;
}
INLINE uint level_offset(descriptor d, int level) {
    int rows = (int)d->height - ((int)d->height >> (level - 1 & 31)) + level - 1;
    return level ? d->width * d->element_bytes + (uint)rows * (uint)d->row_pitch : 0;
}

/* Channels of one size, or a packed element as one channel. */
INLINE uint channel_bytes(descriptor d) {
    switch (d->channel_data_type) {
    case CLK_SNORM_INT8:
    case CLK_UNORM_INT8:
    case CLK_SIGNED_INT8:
    case CLK_UNSIGNED_INT8:
        return 1;
    case CLK_SIGNED_INT32:
    case CLK_UNSIGNED_INT32:
    case CLK_FLOAT:
    case CLK_UNORM_INT_101010:
    case CLK_UNORM_INT_101010_2:
    case RVL_UNORM_INT_2_101010:
        return 4;
    default:
        return 2;
    }
}

#endif
