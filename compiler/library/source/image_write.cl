/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.14.4: writing images. What coordinates outside of the image do is undefined there; here they
 * write nothing, which programs that round their global size up count on. */
#include "image.h"

#define lowest_of __builtin_elementwise_minnum
#define greatest_of __builtin_elementwise_maxnum

/* ---- (r, g, b, a) to channels in memory order ---- */

#define STORED(T)                                                                                  \
    INLINE OVERLOAD T##4 stored(descriptor d, T##4 c) {                                            \
        switch (d->channel_order) {                                                                \
        case CLK_A:                                                                                \
            return c.wwww;                                                                         \
        case CLK_RA:                                                                               \
            return c.xwww;                                                                         \
        case CLK_BGRA:                                                                             \
        case CLK_sBGRA:                                                                            \
            return c.zyxw;                                                                         \
        case CLK_ARGB:                                                                             \
            return c.wxyz;                                                                         \
        case CLK_ABGR:                                                                             \
            return c.wzyx;                                                                         \
        default:                                                                                   \
            return c;                                                                              \
        }                                                                                          \
    }
STORED(float)
STORED(int)
STORED(uint)

/* IEC 61966-2-1; the power 5/12 as a polynomial of the fourth root: within 0.003 / 255. */
INLINE float srgb_from_linear(float c) {
    const float coefficients[] = {-0x1.f8dedcp-5f, 0x1.51dde4p-3f,  0x1.3e84cep+0f,
                                  -0x1.1d77fp-1f,  0x1.174c5ep-2f, -0x1.010f92p-4f};
    float bounded = lowest_of(greatest_of(c, 0.0f), 1.0f);
    float root = __builtin_elementwise_sqrt(__builtin_elementwise_sqrt(bounded));
    float power = coefficients[5];
    _Pragma("unroll") for (int i = 4; i >= 0; --i)
        power = __builtin_elementwise_fma(power, root, coefficients[i]);
    return c <= 0.0031308f ? bounded * 12.92f : power;
}
INLINE float4 encoded_srgb(descriptor d, float4 c) {
    if (d->channel_order < CLK_sRGB || d->channel_order > CLK_sBGRA)
        return c;
    return (float4)(srgb_from_linear(c.x), srgb_from_linear(c.y), srgb_from_linear(c.z), c.w);
}

/* 8.3.1: scaled, saturated and rounded to nearest even. greatest_of makes the lower bound of NaN,
 * which becomes 0 (6.2.3.3): signed channels have another bound. */
INLINE int4 rounded(float4 c, float scale, float low, float high) {
    c = lowest_of(greatest_of(c * scale, (float4)low), (float4)high);
    return __builtin_convertvector(__builtin_elementwise_rint(c), int4);
}
INLINE int4 rounded_signed(float4 c, float high) {
    return rounded(c == c ? c : (float4)0.0f, high, -high - 1.0f, high);
}
#define FIELD(c, width) (uint)rounded((float4)(c), (1 << width) - 1, 0.0f, (1 << width) - 1).x

INLINE uint4 encoded(descriptor d, float4 c) {
    switch (d->channel_data_type) {
    case CLK_FLOAT:
        return as_uint4(c);
    case CLK_HALF_FLOAT:
        return __builtin_convertvector(as_ushort4(__builtin_convertvector(c, half4)), uint4);
    case CLK_UNORM_INT8:
        return as_uint4(rounded(c, 255.0f, 0.0f, 255.0f));
    case CLK_UNORM_INT16:
        return as_uint4(rounded(c, 65535.0f, 0.0f, 65535.0f));
    case CLK_SNORM_INT8:
        return as_uint4(rounded_signed(c, 127.0f));
    case CLK_SNORM_INT16:
        return as_uint4(rounded_signed(c, 32767.0f));
    case CLK_UNORM_SHORT_565:
        return FIELD(c.x, 5) << 11 | FIELD(c.y, 6) << 5 | FIELD(c.z, 5);
    case CLK_UNORM_SHORT_555:
        return FIELD(c.x, 5) << 10 | FIELD(c.y, 5) << 5 | FIELD(c.z, 5);
    case CLK_UNORM_INT_101010:
        return FIELD(c.x, 10) << 20 | FIELD(c.y, 10) << 10 | FIELD(c.z, 10);
    case CLK_UNORM_INT_101010_2:
        return FIELD(c.x, 10) << 22 | FIELD(c.y, 10) << 12 | FIELD(c.z, 10) << 2 | FIELD(c.w, 2);
    case RVL_UNORM_INT_2_101010:
        return FIELD(c.x, 2) << 30 | FIELD(c.y, 10) << 20 | FIELD(c.z, 10) << 10 | FIELD(c.w, 10);
    default: /* integers: write_imagef to them is undefined */
        return 0;
    }
}
INLINE OVERLOAD uint4 saturated(descriptor d, int4 c) {
    if (d->channel_data_type == CLK_SIGNED_INT8)
        c = minimum(maximum(c, (int4)CHAR_MIN), (int4)CHAR_MAX);
    else if (d->channel_data_type == CLK_SIGNED_INT16)
        c = minimum(maximum(c, (int4)SHRT_MIN), (int4)SHRT_MAX);
    return as_uint4(c);
}
INLINE OVERLOAD uint4 saturated(descriptor d, uint4 c) {
    if (d->channel_data_type == CLK_UNSIGNED_INT8)
        c = minimum(c, (uint4)UCHAR_MAX);
    else if (d->channel_data_type == CLK_UNSIGNED_INT16)
        c = minimum(c, (uint4)USHRT_MAX);
    return c;
}

INLINE void store(descriptor d, int4 at, int level, bool layered, uint4 raw) {
    int slice = layered ? at.w : at.z;
    uint slices = layered ? d->array_size : (uint)at_level(d->depth, level);
    if ((uint)at.x >= (uint)at_level(d->width, level) ||
        (uint)at.y >= (uint)at_level(d->height, level) || (uint)slice >= slices)
        return;
    uint offset = offset_of(d, at.x, at.y, slice) + level_offset(d, level);
    global uchar *element = (global uchar *)(size_t)d->data + offset;
    uint bytes = channel_bytes(d), channels = d->element_bytes / bytes;
#define STORE(T)                                                                                   \
    ((global T *)element)[0] = (T)raw.x;                                                           \
    if (channels > 1)                                                                              \
        ((global T *)element)[1] = (T)raw.y;                                                       \
    if (channels > 2)                                                                              \
        ((global T *)element)[2] = (T)raw.z;                                                       \
    if (channels > 3)                                                                              \
        ((global T *)element)[3] = (T)raw.w;
    if (bytes == 4) {
        STORE(uint)
    } else if (bytes == 1) {
        STORE(uchar)
    } else {
        STORE(ushort)
    }
#undef STORE
}

INLINE OVERLOAD uint4 raw_of(descriptor d, float4 color) {
    return encoded(d, stored(d, encoded_srgb(d, color)));
}
INLINE OVERLOAD uint4 raw_of(descriptor d, int4 color) { return saturated(d, stored(d, color)); }
INLINE OVERLOAD uint4 raw_of(descriptor d, uint4 color) { return saturated(d, stored(d, color)); }

/* One function, and the same with a mip level. */
#define WRITE_AS(function, image, access, dimensions, layered, color_type, raw)                    \
    OVERLOAD void function(access image i, COORDINATES(dimensions, layered, int) c,                \
                           color_type color) {                                                     \
        descriptor d = __rivulet_image(i);                                                         \
        store(d, unpacked(c, dimensions), 0, layered, raw);                                        \
    }                                                                                              \
    OVERLOAD void function(access image i, COORDINATES(dimensions, layered, int) c, int level,     \
                           color_type color) {                                                     \
        descriptor d = __rivulet_image(i);                                                         \
        store(d, unpacked(c, dimensions), level, layered, raw);                                    \
    }
#define WRITE(image, access, dimensions, layered, ...)                                             \
    WRITE_AS(write_imagef, image, access, dimensions, layered, float4, raw_of(d, color))           \
    WRITE_AS(write_imagei, image, access, dimensions, layered, int4, raw_of(d, color))             \
    WRITE_AS(write_imageui, image, access, dimensions, layered, uint4, raw_of(d, color))           \
    OVERLOAD void write_imageh(access image i, COORDINATES(dimensions, layered, int) c,            \
                               half4 color) {                                                      \
        write_imagef(i, c, __builtin_convertvector(color, float4));                                \
    }
#define WRITE_DEPTH(image, access, dimensions, layered, ...)                                       \
    WRITE_AS(write_imagef, image, access, dimensions, layered, float, encoded(d, (float4)color))
#define WRITES(access)                                                                             \
    EACH_COLOR_IMAGE(WRITE, access)                                                                \
    EACH_BUFFER_IMAGE(WRITE, access)                                                               \
    EACH_DEPTH_IMAGE(WRITE_DEPTH, access)
WRITES(write_only)
WRITES(read_write)
