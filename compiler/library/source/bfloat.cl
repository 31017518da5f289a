/* SPDX-License-Identifier: Apache-2.0 */
/* cl_rivulet_bfloat: conversions, loads, stores and the multiply-add of bfloat, clang's __bf16. */
#include "narrowing.h"

typedef __bf16 bfloat;
typedef bfloat bfloat2 __attribute__((ext_vector_type(2)));
typedef bfloat bfloat3 __attribute__((ext_vector_type(3)));
typedef bfloat bfloat4 __attribute__((ext_vector_type(4)));
typedef bfloat bfloat8 __attribute__((ext_vector_type(8)));
typedef bfloat bfloat16 __attribute__((ext_vector_type(16)));

/* The upper half of the sum with `added`; a NaN stays one, and quiet, if that half has no bit. */
INLINE bfloat upper_half(uint bits, uint added) {
    bool is_nan = (bits & 0x7fffffff) > 0x7f800000;
    uint result = is_nan ? bits | 0x400000 : bits + added;
    return AS(, (ushort)(result >> 16), bfloat);
}
INLINE bfloat bfloat_from_float_rte(float x) { return (bfloat)x; }
INLINE bfloat bfloat_from_float_rtz(float x) { return upper_half(as_uint(x), 0); }
INLINE bfloat bfloat_from_float_rtp(float x) {
    return upper_half(as_uint(x), as_int(x) < 0 ? 0 : 0xffff);
}
INLINE bfloat bfloat_from_float_rtn(float x) {
    return upper_half(as_uint(x), as_int(x) < 0 ? 0xffff : 0);
}

/* Rounded to odd, so that the second rounding, to bfloat, sees whether anything was lost. */
INLINE float odd_float_from_double(double x) {
    float nearest = (float)x;
    double back = (double)nearest;
    uint towards_zero = as_uint(nearest) - (abs_value(back) > abs_value(x));
    return back == x || x != x ? nearest : as_float(towards_zero | 1);
}
INLINE bfloat bfloat_from_double_rte(double x) {
    return bfloat_from_float_rte(odd_float_from_double(x));
}
INLINE bfloat bfloat_from_double_rtz(double x) {
    return bfloat_from_float_rtz(odd_float_from_double(x));
}
INLINE bfloat bfloat_from_double_rtp(double x) {
    return bfloat_from_float_rtp(odd_float_from_double(x));
}
INLINE bfloat bfloat_from_double_rtn(double x) {
    return bfloat_from_float_rtn(odd_float_from_double(x));
}

#define FROM(T, mode, rounding)                                                                    \
    OVERLOAD bfloat convert_bfloat##mode(T x) { return bfloat_from_##T##rounding(x); }             \
    EACH_VECTOR(FROM_VECTOR, T, mode, rounding)
#define FROM_VECTOR(n, T, mode, rounding)                                                          \
    OVERLOAD bfloat##n convert_bfloat##n##mode(T##n x) {                                           \
        bfloat##n result;                                                                          \
        _Pragma("unroll") for (int i = 0; i < n; ++i) result[i] = bfloat_from_##T##rounding(x[i]); \
        return result;                                                                             \
    }
#define TO(T)                                                                                      \
    EACH_WIDTH(TO_MODE, T, )                                                                       \
    EACH_WIDTH(TO_MODE, T, _rte)                                                                   \
    EACH_WIDTH(TO_MODE, T, _rtz)                                                                   \
    EACH_WIDTH(TO_MODE, T, _rtp)                                                                   \
    EACH_WIDTH(TO_MODE, T, _rtn)
#define TO_MODE(n, T, mode)                                                                        \
    OVERLOAD T##n convert_##T##n##mode(bfloat##n x) { return CONVERT(n, x, T); }
#define CONVERSIONS(T)                                                                             \
    TO(T)                                                                                          \
    FROM(T, , _rte) FROM(T, _rte, _rte) FROM(T, _rtz, _rtz) FROM(T, _rtp, _rtp) FROM(T, _rtn, _rtn)
CONVERSIONS(float)
CONVERSIONS(double)
TO(bfloat)

#define FMA(n, T)                                                                                  \
    OVERLOAD T##n bfloat_fma(bfloat##n a, bfloat##n b, T##n c) {                                   \
        return __builtin_elementwise_fma(CONVERT(n, a, T), CONVERT(n, b, T), c);                   \
    }
EACH_WIDTH(FMA, float)

/* vloadn and vstoren of vectors aligned as their components are, and their like that convert. Of
 * three components, those of vloada_bfloat3 and vstorea_bfloat3 are four apart. */
#define LOAD(space, n, step)                                                                       \
    OVERLOAD bfloat##n vload##n(size_t offset, const space bfloat *p) {                            \
        typedef bfloat##n unaligned __attribute__((aligned(2)));                                   \
        return *(const space unaligned *)(p + offset * step);                                      \
    }
#define LOAD_3(space, n)                                                                           \
    OVERLOAD bfloat3 vload##n(size_t offset, const space bfloat *p) {                              \
        p += offset * n;                                                                           \
        return (bfloat3)(p[0], p[1], p[2]);                                                        \
    }
#define STORE(space, n)                                                                            \
    OVERLOAD void vstore##n(bfloat##n data, size_t offset, space bfloat *p) {                      \
        p += offset * n;                                                                           \
        _Pragma("unroll") for (int i = 0; i < n; ++i) p[i] = data[i];                              \
    }
EACH_SPACE(LOAD, 2, 2)
EACH_SPACE(LOAD_3, 3)
EACH_SPACE(LOAD, 4, 4)
EACH_SPACE(LOAD, 8, 8)
EACH_SPACE(LOAD, 16, 16)
EACH_WRITABLE_SPACE(STORE, 2)
EACH_WRITABLE_SPACE(STORE, 3)
EACH_WRITABLE_SPACE(STORE, 4)
EACH_WRITABLE_SPACE(STORE, 8)
EACH_WRITABLE_SPACE(STORE, 16)

#define WIDENING(space, n, step)                                                                   \
    OVERLOAD float##n vload_bfloat##n(size_t offset, const space bfloat *p) {                      \
        typedef bfloat##n stored __attribute__((aligned(2)));                                      \
        return CONVERT(n, *(const space stored *)(p + offset * step), float);                      \
    }                                                                                              \
    OVERLOAD float##n vloada_bfloat##n(size_t offset, const space bfloat *p) {                     \
        return CONVERT(n, ((const space bfloat##n *)p)[offset], float);                            \
    }
#define WIDENING_3(space, name, step)                                                              \
    OVERLOAD float3 name(size_t offset, const space bfloat *p) {                                   \
        p += offset * step;                                                                        \
        return (float3)((float)p[0], (float)p[1], (float)p[2]);                                    \
    }
EACH_SPACE(WIDENING, , 1)
EACH_SPACE(WIDENING, 2, 2)
EACH_SPACE(WIDENING_3, vload_bfloat3, 3)
EACH_SPACE(WIDENING_3, vloada_bfloat3, 4)
EACH_SPACE(WIDENING, 4, 4)
EACH_SPACE(WIDENING, 8, 8)
EACH_SPACE(WIDENING, 16, 16)

NARROWINGS(bfloat, float)
NARROWINGS(bfloat, double)
