/* SPDX-License-Identifier: Apache-2.0 */
/* 6.2.3.2: conversions to floating-point types in rounding modes that IR can't express: converts
 * to the nearest value, then takes one step in the required direction if it was rounded the
 * other way. */
#ifndef RIVULET_LIBRARY_ROUNDING_H
#define RIVULET_LIBRARY_ROUNDING_H

#include "builtin.h"

/* double to half in one rounding, by float rounded to odd: its last bit is set if anything was
 * lost. (A direct truncation is a library call on hosts.) */
INLINE half half_from_double_rte(double x) {
    float nearest = (float)x;
    uint bits = as_uint(nearest);
    double back = (double)nearest;
    uint towards_zero = bits - (__builtin_elementwise_abs(back) > __builtin_elementwise_abs(x));
    uint odd = towards_zero | (back != x);
    return (half)(back == x || x != x ? nearest : as_float(odd));
}
INLINE half half_from_float_rte(float x) { return (half)x; }
INLINE float float_from_double_rte(double x) { return (float)x; }

/* Narrowing from F to T (its bits: I); `sign` is the sign bit of T. */
#define NARROW(T, I, F, sign)                                                                      \
    INLINE T T##_from_##F##_rtz(F x) {                                                             \
        T nearest = T##_from_##F##_rte(x);                                                         \
        I away = abs_value((F)nearest) > abs_value(x);                                             \
        return __builtin_astype((I)(__builtin_astype(nearest, I) - away), T);                      \
    }                                                                                              \
    INLINE T T##_from_##F##_rtp(F x) {                                                             \
        T nearest = T##_from_##F##_rte(x);                                                         \
        I bits = __builtin_astype(nearest, I);                                                     \
        I up = bits & sign ? (I) - 1 : (I)1;                                                       \
        return __builtin_astype((I)((F)nearest < x ? bits + up : bits), T);                        \
    }                                                                                              \
    INLINE T T##_from_##F##_rtn(F x) { return -T##_from_##F##_rtp(-x); }
NARROW(half, ushort, float, 0x8000)
NARROW(half, ushort, double, 0x8000)
NARROW(float, uint, double, 0x80000000)

/* From an integer S (unsigned: U) to T with `digits` binary digits and a finite maximum of
 * `greatest`: the leading digits convert exactly; the rest determines the last one. */
#define FROM_INTEGER(T, I, digits, greatest, S, U, size_of)                                        \
    INLINE T T##_from_##S##_away(S x, int away) {                                                  \
        U size = (U)size_of(x);                                                                    \
        int excess = (int)(8 * sizeof(U)) - digits - (int)__builtin_elementwise_clzg(size, (U)0);  \
        U shift = (U)maximum(excess, 0);                                                           \
        U kept = minimum((U)(size >> shift << shift), (U)greatest);                                \
        I bits = __builtin_astype((T)kept, I);                                                     \
        T result = __builtin_astype((I)(bits + (away & (kept != size))), T);                       \
        return x < 0 ? -result : result;                                                           \
    }                                                                                              \
    INLINE T T##_from_##S##_rte(S x) { return (T)x; }                                              \
    INLINE T T##_from_##S##_rtz(S x) { return T##_from_##S##_away(x, 0); }                         \
    INLINE T T##_from_##S##_rtp(S x) { return T##_from_##S##_away(x, x > 0); }                     \
    INLINE T T##_from_##S##_rtn(S x) { return T##_from_##S##_away(x, x < 0); }
#define OWN_SIZE(x) (x)
FROM_INTEGER(half, ushort, 11, 65504, short, ushort, abs_value)
FROM_INTEGER(half, ushort, 11, 65504, ushort, ushort, OWN_SIZE)
FROM_INTEGER(half, ushort, 11, 65504, int, uint, abs_value)
FROM_INTEGER(half, ushort, 11, 65504, uint, uint, OWN_SIZE)
FROM_INTEGER(half, ushort, 11, 65504, long, ulong, abs_value)
FROM_INTEGER(half, ushort, 11, 65504, ulong, ulong, OWN_SIZE)
FROM_INTEGER(float, uint, 24, UINT_MAX, int, uint, abs_value)
FROM_INTEGER(float, uint, 24, UINT_MAX, uint, uint, OWN_SIZE)
FROM_INTEGER(float, uint, 24, ULONG_MAX, long, ulong, abs_value)
FROM_INTEGER(float, uint, 24, ULONG_MAX, ulong, ulong, OWN_SIZE)
FROM_INTEGER(double, ulong, 53, ULONG_MAX, long, ulong, abs_value)
FROM_INTEGER(double, ulong, 53, ULONG_MAX, ulong, ulong, OWN_SIZE)

#endif
