/* SPDX-License-Identifier: Apache-2.0 */
/* Chapter 8: addressing and filtering, for all functions that read images.
 *
 * Format, sampler and sizes are the same for all work-items: branches on them stay branches, while
 * everything per work-item is straight-line code.
 */
#ifndef RIVULET_LIBRARY_IMAGE_SAMPLE_H
#define RIVULET_LIBRARY_IMAGE_SAMPLE_H

#include "image.h"

#define lowest_of __builtin_elementwise_minnum
#define greatest_of __builtin_elementwise_maxnum

/* ---- one or more elements by their offsets: channels as stored ---- */

INLINE void load_raw(descriptor d, const uint *offsets, int texels, uint (*raw)[4]) {
    const global uchar *data = (const global uchar *)(size_t)d->data;
    uint bytes = channel_bytes(d), channels = d->element_bytes / bytes;
    _Pragma("unroll") for (int t = 0; t < texels; ++t) raw[t][0] = raw[t][1] = raw[t][2] =
        raw[t][3] = 0;
#define LOAD(T)                                                                                    \
    _Pragma("unroll") for (uint c = 0; c < 4; ++c) {                                               \
        if (c >= channels)                                                                         \
            break;                                                                                 \
        _Pragma("unroll") for (int t = 0; t < texels; ++t) raw[t][c] =                             \
            *(const global T *)(data + offsets[t] + c * sizeof(T));                                \
    }
    if (bytes == 4) {
        LOAD(uint)
    } else if (bytes == 1) {
        LOAD(uchar)
    } else {
        LOAD(ushort)
    }
#undef LOAD
}

/* ---- channels as numbers ---- */

#define EACH_CHANNEL                                                                               \
    _Pragma("unroll") for (int t = 0; t < texels; ++t) _Pragma("unroll") for (int c = 0; c < 4; ++c)
/* A field of a packed element as a fraction of its greatest value. */
#define FIELD(word, shift, width)                                                                  \
    ((float)((word) >> shift & ((1u << width) - 1)) / (float)((1u << width) - 1))
/* Without alpha: surroundings() marks where the border's colour counts. */
#define PACKED_ALPHA (raw[t][3] ? 0.0f : 1.0f)
#define UNPACK(r, g, b, a)                                                                         \
    _Pragma("unroll") for (int t = 0; t < texels; ++t) {                                           \
        uint word = raw[t][0];                                                                     \
        value[t][0] = r, value[t][1] = g, value[t][2] = b, value[t][3] = a;                        \
    }                                                                                              \
    break;

INLINE void decode(descriptor d, int texels, uint (*raw)[4], float (*value)[4]) {
    switch (d->channel_data_type) {
    case CLK_FLOAT:
        EACH_CHANNEL value[t][c] = as_float(raw[t][c]);
        break;
    case CLK_HALF_FLOAT:
        EACH_CHANNEL value[t][c] = (float)as_half((ushort)raw[t][c]);
        break;
    case CLK_UNORM_INT8:
        EACH_CHANNEL value[t][c] = (float)raw[t][c] * (1.0f / 255.0f);
        break;
    case CLK_UNORM_INT16:
        EACH_CHANNEL value[t][c] = (float)raw[t][c] * (1.0f / 65535.0f);
        break;
    case CLK_SNORM_INT8:
        EACH_CHANNEL value[t][c] = greatest_of((float)(char)raw[t][c] * (1.0f / 127.0f), -1.0f);
        break;
    case CLK_SNORM_INT16:
        EACH_CHANNEL value[t][c] = greatest_of((float)(short)raw[t][c] * (1.0f / 32767.0f), -1.0f);
        break;
    case CLK_UNORM_SHORT_565:
        UNPACK(FIELD(word, 11, 5), FIELD(word, 5, 6), FIELD(word, 0, 5), PACKED_ALPHA)
    case CLK_UNORM_SHORT_555:
        UNPACK(FIELD(word, 10, 5), FIELD(word, 5, 5), FIELD(word, 0, 5), PACKED_ALPHA)
    case CLK_UNORM_INT_101010:
        UNPACK(FIELD(word, 20, 10), FIELD(word, 10, 10), FIELD(word, 0, 10), PACKED_ALPHA)
    case CLK_UNORM_INT_101010_2:
        UNPACK(FIELD(word, 22, 10), FIELD(word, 12, 10), FIELD(word, 2, 10), FIELD(word, 0, 2))
    case RVL_UNORM_INT_2_101010:
        UNPACK(FIELD(word, 30, 2), FIELD(word, 20, 10), FIELD(word, 10, 10), FIELD(word, 0, 10))
    default: /* integers: read_imagef of them is undefined */
        EACH_CHANNEL value[t][c] = 0.0f;
    }
}

/* IEC 61966-2-1; the power as a polynomial: 2^-14.8 */
INLINE float linear_from_srgb(float c) {
    const float coefficients[] = {0x1.bb7ca6p-11f, 0x1.23f796p-5f, 0x1.ecac12p-2f,  0x1.c45cd4p-1f,
                                  -0x1.cde1cep-1f, 0x1.d78ebcp-1f, -0x1.250ed6p-1f, 0x1.381574p-3f};
    float power = coefficients[7];
    _Pragma("unroll") for (int i = 6; i >= 0; --i) power =
        __builtin_elementwise_fma(power, c, coefficients[i]);
    return c <= 0.04045f ? c * (1.0f / 12.92f) : lowest_of(power, 1.0f);
}
INLINE void decode_srgb(descriptor d, int texels, float (*value)[4]) {
    if (d->channel_order < CLK_sRGB || d->channel_order > CLK_sBGRA)
        return;
    _Pragma("unroll") for (int t = 0; t < texels; ++t) _Pragma("unroll") for (int c = 0; c < 3; ++c)
        value[t][c] = linear_from_srgb(value[t][c]);
}

/* ---- channel order: table 6.23's mapping to (r, g, b, a) ---- */

#define ORDERED(T)                                                                                 \
    INLINE OVERLOAD T##4 ordered(descriptor d, T##4 c) {                                           \
        switch (d->channel_order) {                                                                \
        case CLK_R:                                                                                \
        case CLK_Rx:                                                                               \
        case CLK_DEPTH:                                                                            \
            return (T##4)(c.x, 0, 0, 1);                                                           \
        case CLK_A:                                                                                \
            return (T##4)(0, 0, 0, c.x);                                                           \
        case CLK_RG:                                                                               \
        case CLK_RGx:                                                                              \
            return (T##4)(c.x, c.y, 0, 1);                                                         \
        case CLK_RA:                                                                               \
            return (T##4)(c.x, 0, 0, c.y);                                                         \
        case CLK_RGB:                                                                              \
        case CLK_sRGB:                                                                             \
        case CLK_sRGBx:                                                                            \
            return (T##4)(c.x, c.y, c.z, 1);                                                       \
        case CLK_BGRA:                                                                             \
        case CLK_sBGRA:                                                                            \
            return c.zyxw;                                                                         \
        case CLK_ARGB:                                                                             \
            return c.yzwx;                                                                         \
        case CLK_ABGR:                                                                             \
            return c.wzyx;                                                                         \
        case CLK_INTENSITY:                                                                        \
            return c.xxxx;                                                                         \
        case CLK_LUMINANCE:                                                                        \
            return (T##4)(c.x, c.x, c.x, 1);                                                       \
        default:                                                                                   \
            return c;                                                                              \
        }                                                                                          \
    }
ORDERED(float)
ORDERED(int)

/* ---- addressing: section 8.2, for one coordinate ---- */

typedef struct {
    int at[2];      /* the element, and with linear filtering its right neighbour */
    bool inside[2]; /* otherwise the border's colour counts (CLK_ADDRESS_CLAMP)    */
    float fraction; /* towards the neighbour                                       */
} footprint;

/* CLK_ADDRESS_NONE promises it, and neighbouring work-items' elements stay neighbours in memory. */
INLINE void keep_inside(footprint *p, uint sampler, int size) {
    if ((sampler & RVL_SAMPLER_ADDRESS_MASK) == CLK_ADDRESS_NONE)
        return;
    _Pragma("unroll") for (int i = 0; i < 2; ++i) {
        p->inside[i] = (uint)p->at[i] < (uint)size;
        p->at[i] = clamped_index(p->at[i], size);
    }
}

INLINE OVERLOAD void address(uint sampler, int coordinate, int size, bool linear, footprint *p) {
    p->at[0] = coordinate;
    p->at[1] = coordinate + 1;
    p->fraction = 0.0f;
    keep_inside(p, sampler, size);
}

INLINE OVERLOAD void address(uint sampler, float coordinate, int size, bool linear, footprint *p) {
    uint mode = sampler & RVL_SAMPLER_ADDRESS_MASK;
    float extent = (float)size;
    if (mode == CLK_ADDRESS_REPEAT)
        coordinate -= __builtin_elementwise_floor(coordinate);
    else if (mode == CLK_ADDRESS_MIRRORED_REPEAT)
        coordinate = __builtin_elementwise_abs(
            coordinate - 2.0f * __builtin_elementwise_rint(0.5f * coordinate));
    coordinate *= sampler & RVL_SAMPLER_NORMALIZED ? extent : 1.0f;
    coordinate -= linear ? 0.5f : 0.0f;
    float whole = __builtin_elementwise_floor(coordinate);
    p->fraction = coordinate - whole;
    /* Bounded before it becomes an integer: NaN and the like, too. */
    int i = (int)lowest_of(greatest_of(whole, -2.0f), extent + 1.0f);
    if (mode == CLK_ADDRESS_REPEAT) {
        p->at[0] = i < 0 ? i + size : i > size - 1 ? i - size : i;
        p->at[1] = i + 1 > size - 1 ? i + 1 - size : i + 1;
    } else {
        p->at[0] = i;
        p->at[1] = i + 1;
    }
    keep_inside(p, sampler, size);
}

/* Array layers are always clamped. */
INLINE OVERLOAD int layer_of(descriptor d, int layer) {
    return clamped_index(layer, (int)d->array_size);
}
INLINE OVERLOAD int layer_of(descriptor d, float layer) {
    float last = (float)(d->array_size - 1);
    return (int)lowest_of(greatest_of(__builtin_elementwise_rint(layer), 0.0f), last);
}

/* ---- sampling ---- */

/* The elements around the coordinates: two to the power of the number of dimensions with linear
 * filtering, otherwise one. Contains their raw channels, zero if the border applies, and their
 * weights. */
#define SURROUNDINGS(T)                                                                            \
    INLINE OVERLOAD void surroundings(descriptor d, uint sampler, T##4 at, int level,              \
                                      int dimensions, bool layered, bool linear, uint(*raw)[4],    \
                                      float *weight) {                                             \
        footprint x, y, z;                                                                         \
        address(sampler, at.x, at_level(d->width, level), linear, &x);                             \
        if (dimensions > 1)                                                                        \
            address(sampler, at.y, at_level(d->height, level), linear, &y);                        \
        if (dimensions > 2)                                                                        \
            address(sampler, at.z, at_level(d->depth, level), linear, &z);                         \
        int layer = layered ? layer_of(d, at.w) : 0;                                               \
        const int texels = linear ? 1 << dimensions : 1;                                           \
        uint offsets[8];                                                                           \
        bool inside[8];                                                                            \
        _Pragma("unroll") for (int t = 0; t < texels; ++t) {                                       \
            int right = t & 1, down = t >> 1 & 1, behind = t >> 2;                                 \
            int row = dimensions > 1 ? y.at[down] : 0;                                             \
            int slice = dimensions > 2 ? z.at[behind] : layer;                                     \
            offsets[t] = offset_of(d, x.at[right], row, slice) + level_offset(d, level);           \
            inside[t] = x.inside[right];                                                           \
            weight[t] = right ? x.fraction : 1.0f - x.fraction;                                    \
            if (dimensions > 1) {                                                                  \
                inside[t] &= y.inside[down];                                                       \
                weight[t] *= down ? y.fraction : 1.0f - y.fraction;                                \
            }                                                                                      \
            if (dimensions > 2) {                                                                  \
                inside[t] &= z.inside[behind];                                                     \
                weight[t] *= behind ? z.fraction : 1.0f - z.fraction;                              \
            }                                                                                      \
        }                                                                                          \
        load_raw(d, offsets, texels, raw);                                                         \
        if ((sampler & RVL_SAMPLER_ADDRESS_MASK) == CLK_ADDRESS_CLAMP) {                           \
            EACH_CHANNEL raw[t][c] = inside[t] ? raw[t][c] : 0;                                    \
            /* 6.12.14.1.1: the border is transparent; elements of this order are packed. */       \
            if (d->channel_order == CLK_RGBx)                                                      \
                _Pragma("unroll") for (int t = 0; t < texels; ++t) raw[t][3] = !inside[t];         \
        }                                                                                          \
    }
SURROUNDINGS(float)
SURROUNDINGS(int)

#define SAMPLE(T)                                                                                  \
    INLINE OVERLOAD float4 sample(descriptor d, uint sampler, T##4 at, int level, int dimensions,  \
                                  bool layered, bool linear) {                                     \
        uint raw[8][4];                                                                            \
        float value[8][4], weight[8];                                                              \
        const int texels = linear ? 1 << dimensions : 1;                                           \
        surroundings(d, sampler, at, level, dimensions, layered, linear, raw, weight);             \
        decode(d, texels, raw, value);                                                             \
        decode_srgb(d, texels, value);                                                             \
        float4 sum = (float4)(value[0][0], value[0][1], value[0][2], value[0][3]);                 \
        if (linear)                                                                                \
            sum *= weight[0];                                                                      \
        _Pragma("unroll") for (int t = 1; t < texels; ++t) sum = __builtin_elementwise_fma(        \
            (float4)(value[t][0], value[t][1], value[t][2], value[t][3]), (float4)weight[t], sum); \
        return ordered(d, sum);                                                                    \
    }                                                                                              \
    /* Integers aren't filtered. */                                                                \
    INLINE OVERLOAD int4 sample_integer(descriptor d, uint sampler, T##4 at, int level,            \
                                        int dimensions, bool layered) {                            \
        uint raw[1][4];                                                                            \
        float weight[1];                                                                           \
        surroundings(d, sampler, at, level, dimensions, layered, false, raw, weight);              \
        int4 value = (int4)((int)raw[0][0], (int)raw[0][1], (int)raw[0][2], (int)raw[0][3]);       \
        if (d->channel_data_type == CLK_SIGNED_INT8)                                               \
            value = value << 24 >> 24;                                                             \
        else if (d->channel_data_type == CLK_SIGNED_INT16)                                         \
            value = value << 16 >> 16;                                                             \
        return ordered(d, value);                                                                  \
    }
SAMPLE(float)
SAMPLE(int)

INLINE OVERLOAD float4 filtered(descriptor d, uint sampler, float4 at, int level, int dimensions,
                                bool layered) {
    return sampler & RVL_SAMPLER_LINEAR ? sample(d, sampler, at, level, dimensions, layered, true)
                                        : sample(d, sampler, at, level, dimensions, layered, false);
}
/* Integer coordinates go with CLK_FILTER_NEAREST only. */
INLINE OVERLOAD float4 filtered(descriptor d, uint sampler, int4 at, int level, int dimensions,
                                bool layered) {
    return sample(d, sampler, at, level, dimensions, layered, false);
}

#endif
