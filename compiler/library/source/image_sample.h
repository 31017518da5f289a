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

/* ---- channel order: table 6.23 ---- */

/* Where a component of a colour comes from: a channel of the element, 0 to 3, or */
#define SOURCE_MARKED 4 /* none: decode() makes it of what surroundings() says */
#define SOURCE_FILLED 5 /* none: 0, or 1 for alpha                             */

/* Numbers of three bits instead of a switch, each case of which would have code for all components:
 * a program that uses one component has no code for the others. */
#define ORDER(order, source) ((ulong)(source) << 3 * (CLK_##order - CLK_R))
#define ORDERS(r, a, rg, ra, rgb, rgbx, rgba, bgra, argb, abgr, intensity, luminance)              \
    (ORDER(R, r) | ORDER(Rx, r) | ORDER(DEPTH, r) | ORDER(A, a) | ORDER(RG, rg) | ORDER(RGx, rg) | \
     ORDER(RA, ra) | ORDER(RGB, rgb) | ORDER(sRGB, rgb) | ORDER(sRGBx, rgb) | ORDER(RGBx, rgbx) |  \
     ORDER(RGBA, rgba) | ORDER(sRGBA, rgba) | ORDER(BGRA, bgra) | ORDER(sBGRA, bgra) |             \
     ORDER(ARGB, argb) | ORDER(ABGR, abgr) | ORDER(INTENSITY, intensity) |                         \
     ORDER(LUMINANCE, luminance))

INLINE uint source_of(descriptor d, int component) {
    const ulong orders[4] = {
        ORDERS(0, 5, 0, 0, 0, 0, 0, 2, 1, 3, 0, 0),
        ORDERS(5, 5, 1, 5, 1, 1, 1, 1, 2, 2, 0, 0),
        ORDERS(5, 5, 5, 5, 2, 2, 2, 0, 3, 1, 0, 0),
        ORDERS(5, 0, 5, 1, 5, 4, 3, 3, 0, 0, 0, 5),
    };
    uint source = (uint)(orders[component] >> 3 * (d->channel_order - CLK_R)) & 7;
    return source < SOURCE_MARKED && is_packed(d) ? 0 : source;
}

#define COMPLETED(T)                                                                               \
    INLINE OVERLOAD T##4 completed(descriptor d, T##4 c) {                                         \
        if (source_of(d, 0) == SOURCE_FILLED)                                                      \
            c.x = 0;                                                                               \
        if (source_of(d, 1) == SOURCE_FILLED)                                                      \
            c.y = 0;                                                                               \
        if (source_of(d, 2) == SOURCE_FILLED)                                                      \
            c.z = 0;                                                                               \
        if (source_of(d, 3) == SOURCE_FILLED)                                                      \
            c.w = 1;                                                                               \
        return c;                                                                                  \
    }
COMPLETED(float)
COMPLETED(int)

/* ---- one or more elements by their offsets: channels as stored, in the order r, g, b, a ---- */

#define EACH_CHANNEL                                                                               \
    _Pragma("unroll") for (int c = 0; c < 4; ++c) _Pragma("unroll") for (int t = 0; t < texels; ++t)

INLINE void load_raw(descriptor d, const uint *offsets, int texels, uint (*raw)[4]) {
    const global uchar *data = (const global uchar *)(size_t)d->data;
    uint bytes = channel_bytes(d);
#define LOAD(T)                                                                                    \
    _Pragma("unroll") for (int t = 0; t < texels; ++t) raw[t][c] =                                 \
        *(const global T *)(data + offsets[t] + source * sizeof(T));
    _Pragma("unroll") for (int c = 0; c < 4; ++c) {
        uint source = source_of(d, c);
        _Pragma("unroll") for (int t = 0; t < texels; ++t) raw[t][c] = 0;
        if (source >= SOURCE_MARKED)
            continue;
        if (bytes == 4) {
            LOAD(uint)
        } else if (bytes == 1) {
            LOAD(uchar)
        } else {
            LOAD(ushort)
        }
    }
#undef LOAD
}

/* ---- channels as numbers ---- */

/* Formats that differ in numbers only share their code: the numbers are the same for all lanes. */
INLINE void decode(descriptor d, int texels, uint (*raw)[4], float (*value)[4]) {
    bool is_byte = channel_bytes(d) == 1;
    switch (d->channel_data_type) {
    case CLK_FLOAT:
        EACH_CHANNEL value[t][c] = as_float(raw[t][c]);
        break;
    case CLK_HALF_FLOAT:
        EACH_CHANNEL value[t][c] = (float)as_half((ushort)raw[t][c]);
        break;
    case CLK_UNORM_INT8:
    case CLK_UNORM_INT16: {
        float scale = is_byte ? 1.0f / 255.0f : 1.0f / 65535.0f;
        EACH_CHANNEL value[t][c] = (float)raw[t][c] * scale;
        break;
    }
    case CLK_SNORM_INT8:
    case CLK_SNORM_INT16: {
        float scale = is_byte ? 1.0f / 127.0f : 1.0f / 32767.0f;
        int unused = is_byte ? 24 : 16;
        EACH_CHANNEL value[t][c] =
            greatest_of((float)((int)(raw[t][c] << unused) >> unused) * scale, -1.0f);
        break;
    }
    case CLK_UNORM_SHORT_565:
    case CLK_UNORM_SHORT_555:
    case CLK_UNORM_INT_101010:
    case CLK_UNORM_INT_101010_2:
    case RVL_UNORM_INT_2_101010: {
        /* Fields as fractions of their greatest values. */
        packed_fields fields = fields_of(d);
        _Pragma("unroll") for (int c = 0; c < 4; ++c) {
            uint greatest = greatest_value(fields, c);
            if (c == 3 && !greatest) {
                /* Without alpha: surroundings() marks where the border's colour counts. */
                _Pragma("unroll") for (int t = 0; t < texels; ++t) value[t][c] =
                    raw[t][c] ? 0.0f : 1.0f;
            } else {
                _Pragma("unroll") for (int t = 0; t < texels; ++t) value[t][c] =
                    (float)(raw[t][c] >> shift_of(fields, c) & greatest) / (float)greatest;
            }
        }
        break;
    }
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
        return completed(d, sum);                                                                  \
    }                                                                                              \
    /* Integers aren't filtered. */                                                                \
    INLINE OVERLOAD int4 sample_integer(descriptor d, uint sampler, T##4 at, int level,            \
                                        int dimensions, bool layered) {                            \
        uint raw[1][4];                                                                            \
        float weight[1];                                                                           \
        surroundings(d, sampler, at, level, dimensions, layered, false, raw, weight);              \
        int4 value = (int4)((int)raw[0][0], (int)raw[0][1], (int)raw[0][2], (int)raw[0][3]);       \
        if (d->channel_data_type == CLK_SIGNED_INT8 || d->channel_data_type == CLK_SIGNED_INT16) { \
            int unused = 32 - 8 * (int)channel_bytes(d);                                           \
            value = value << unused >> unused;                                                     \
        }                                                                                          \
        return completed(d, value);                                                                \
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
