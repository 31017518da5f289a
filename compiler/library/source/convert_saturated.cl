/* SPDX-License-Identifier: Apache-2.0 */
/* 6.2.3: convert_TO_sat…() for one integer type TO (-DTO=char …, built with
 * -fno-strict-float-cast-overflow: casts from floating point saturate, and NaN becomes 0).
 */
#include "builtin.h"

#define FUNCTION(TO, n, mode) FUNCTION_(TO, n, mode)
#define FUNCTION_(TO, n, mode) convert_##TO##n##_sat##mode
#define TYPE(TO, n) TYPE_(TO, n)
#define TYPE_(TO, n) TO##n
#define VALUE(n, x) VALUE_(n, x, TO)
#define VALUE_(n, x, TO) CONVERT(n, x, TO)

#define LOWEST(T) ((T)-1 < (T)1 ? (long)-((1ul << (8 * sizeof(T) - 1)) - 1) - 1 : 0l)
#define HIGHEST(T) (~0ul >> (64 - 8 * sizeof(T) + ((T)-1 < (T)1)))

/* Clamped to what both types hold, before the bits are cut off. */
#define FROM_INTEGER(n, T, U, S, mode)                                                             \
    OVERLOAD TYPE(TO, n) FUNCTION(TO, n, mode)(T##n x) {                                           \
        const T low = (T)(LOWEST(T) > LOWEST(TO) ? LOWEST(T) : LOWEST(TO));                        \
        const T high = (T)(HIGHEST(T) < HIGHEST(TO) ? HIGHEST(T) : HIGHEST(TO));                   \
        return VALUE(n, minimum(maximum(x, (T##n)low), (T##n)high));                               \
    }
EACH_INTEGER(EACH_WIDTH, FROM_INTEGER, )
EACH_INTEGER(EACH_WIDTH, FROM_INTEGER, _rte)
EACH_INTEGER(EACH_WIDTH, FROM_INTEGER, _rtz)
EACH_INTEGER(EACH_WIDTH, FROM_INTEGER, _rtp)
EACH_INTEGER(EACH_WIDTH, FROM_INTEGER, _rtn)

/* Only scalar casts saturate. */
#define SATURATE(T)                                                                                \
    INLINE OVERLOAD TO saturate(T x) { return (TO)x; }                                             \
    SATURATE_VECTOR(2, T) SATURATE_VECTOR(3, T) SATURATE_VECTOR(4, T) SATURATE_VECTOR(8, T)        \
    SATURATE_VECTOR(16, T)
#define SATURATE_VECTOR(n, T)                                                                      \
    INLINE OVERLOAD TYPE(TO, n) saturate(T##n x) {                                                 \
        return (TYPE(TO, n))(saturate(LOW(n, x)), saturate(HIGH(n, x)));                           \
    }
SATURATE(float)
SATURATE(double)

#define FROM_FLOATING(n, T, W, mode, integral)                                                     \
    OVERLOAD TYPE(TO, n) FUNCTION(TO, n, mode)(T##n x) {                                           \
        return saturate(integral(CONVERT(n, x, W)));                                               \
    }

#define TO_INTEGER_FROM(T, W)                                                                      \
    EACH_WIDTH(FROM_FLOATING, T, W, , )                                                            \
    EACH_WIDTH(FROM_FLOATING, T, W, _rte, __builtin_elementwise_rint)                              \
    EACH_WIDTH(FROM_FLOATING, T, W, _rtz, )                                                        \
    EACH_WIDTH(FROM_FLOATING, T, W, _rtp, __builtin_elementwise_ceil)                              \
    EACH_WIDTH(FROM_FLOATING, T, W, _rtn, __builtin_elementwise_floor)
TO_INTEGER_FROM(float, float)
TO_INTEGER_FROM(double, double)
TO_INTEGER_FROM(half, float)
