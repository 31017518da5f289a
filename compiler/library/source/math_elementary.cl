/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2: functions that are an instruction or a few bit operations. Built for float, for double
 * with -DREAL_IS_DOUBLE and for half with -DREAL_IS_HALF: programs read those of their types. */
#include "builtin.h"

#define magnitude __builtin_elementwise_abs
#define signed_as __builtin_elementwise_copysign
#define fmaximum __builtin_elementwise_maxnum
#define fminimum __builtin_elementwise_minnum
#define ALL(n, T, value) ((T##n)(T)(value))

/* below_one: the largest value below 1; quiet: a NaN's bits with an empty payload */
#define ELEMENTARY(n, T, U, S, below_one, quiet)                                                   \
    OVERLOAD T##n fabs(T##n x) { return magnitude(x); }                                            \
    OVERLOAD T##n ceil(T##n x) { return __builtin_elementwise_ceil(x); }                           \
    OVERLOAD T##n floor(T##n x) { return __builtin_elementwise_floor(x); }                         \
    OVERLOAD T##n rint(T##n x) { return __builtin_elementwise_rint(x); }                           \
    OVERLOAD T##n round(T##n x) { return __builtin_elementwise_round(x); }                         \
    OVERLOAD T##n trunc(T##n x) { return __builtin_elementwise_trunc(x); }                         \
    OVERLOAD T##n sqrt(T##n x) { return __builtin_elementwise_sqrt(x); }                           \
    OVERLOAD T##n copysign(T##n x, T##n y) { return signed_as(x, y); }                             \
    OVERLOAD T##n fmax(T##n x, T##n y) { return fmaximum(x, y); }                                  \
    OVERLOAD T##n fmin(T##n x, T##n y) { return fminimum(x, y); }                                  \
    OVERLOAD T##n fma(T##n a, T##n b, T##n c) { return __builtin_elementwise_fma(a, b, c); }       \
    OVERLOAD T##n mad(T##n a, T##n b, T##n c) { return __builtin_elementwise_fma(a, b, c); }       \
    OVERLOAD T##n fdim(T##n x, T##n y) { return x <= y ? ALL(n, T, 0) : x - y; }                   \
    OVERLOAD T##n maxmag(T##n x, T##n y) {                                                         \
        T##n a = magnitude(x), b = magnitude(y);                                                   \
        return a > b ? x : b > a ? y : fmaximum(x, y);                                             \
    }                                                                                              \
    OVERLOAD T##n minmag(T##n x, T##n y) {                                                         \
        T##n a = magnitude(x), b = magnitude(y);                                                   \
        return a < b ? x : b < a ? y : fminimum(x, y);                                             \
    }                                                                                              \
    OVERLOAD T##n nan(U##n code) { return AS(n, (U##n)(code | (U##n)(U)quiet), T); }               \
    OVERLOAD T##n nextafter(T##n x, T##n y) {                                                      \
        S##n bits = AS(n, x, S);                                                                   \
        S##n outwards = CONVERT(n, MASK(n, (x < y) == (x > ALL(n, T, 0))), S);                     \
        bits -= outwards + outwards + (S##n)(S)1;                                                  \
        T##n least = signed_as(AS(n, (S##n)(S)1, T), y);                                           \
        T##n result = x == ALL(n, T, 0) ? least : AS(n, bits, T);                                  \
        result = x == y ? y : result;                                                              \
        return (x != x) | (y != y) ? x + y : result;                                               \
    }                                                                                              \
    EACH_WRITABLE_SPACE(SPLITTING, n, T, below_one)

/* 7.5.1, 7.5.2: what is left of infinities and zeros keeps their sign. */
#define SPLITTING(space, n, T, below_one)                                                          \
    OVERLOAD T##n fract(T##n x, space T##n *whole) {                                               \
        T##n floor_x = __builtin_elementwise_floor(x);                                             \
        *whole = floor_x;                                                                          \
        T##n rest = x - floor_x;                                                                   \
        rest = rest > ALL(n, T, below_one) ? ALL(n, T, below_one) : rest;                          \
        T##n zero = signed_as(ALL(n, T, 0), x);                                                    \
        return (magnitude(x) == ALL(n, T, INFINITY)) | (x == ALL(n, T, 0)) ? zero : rest;          \
    }                                                                                              \
    OVERLOAD T##n modf(T##n x, space T##n *whole) {                                                \
        T##n trunc_x = __builtin_elementwise_trunc(x);                                             \
        *whole = trunc_x;                                                                          \
        T##n rest = magnitude(x) == ALL(n, T, INFINITY) ? ALL(n, T, 0) : x - trunc_x;              \
        return signed_as(rest, x);                                                                 \
    }
#if defined(REAL_IS_DOUBLE)
EACH_WIDTH(ELEMENTARY, double, ulong, long, 0x1.fffffffffffffp-1, 0x7ff8000000000000)
#define real double
#elif defined(REAL_IS_HALF)
EACH_WIDTH(ELEMENTARY, half, ushort, short, 0x1.ffcp-1, 0x7e00)
#define real half
#else
EACH_WIDTH(ELEMENTARY, float, uint, int, 0x1.fffffep-1, 0x7fc00000)
#define real float
#endif

#define WITH_SCALAR(n, T)                                                                          \
    OVERLOAD T##n fmax(T##n x, T y) { return fmaximum(x, (T##n)y); }                               \
    OVERLOAD T##n fmin(T##n x, T y) { return fminimum(x, (T##n)y); }
EACH_VECTOR(WITH_SCALAR, real)

#define INVERSE_ROOT(n, T)                                                                         \
    OVERLOAD T##n rsqrt(T##n x) { return ALL(n, T, 1) / __builtin_elementwise_sqrt(x); }
#ifndef REAL_IS_HALF
EACH_WIDTH(INVERSE_ROOT, real)
#endif

#if !defined(REAL_IS_DOUBLE) && !defined(REAL_IS_HALF)
/* Table 6.9 */
#define HALF_AND_NATIVE(n, prefix)                                                                 \
    OVERLOAD float##n prefix##_divide(float##n x, float##n y) { return x / y; }                    \
    OVERLOAD float##n prefix##_recip(float##n x) { return 1.0f / x; }                              \
    OVERLOAD float##n prefix##_sqrt(float##n x) { return __builtin_elementwise_sqrt(x); }          \
    OVERLOAD float##n prefix##_rsqrt(float##n x) { return 1.0f / __builtin_elementwise_sqrt(x); }
EACH_WIDTH(HALF_AND_NATIVE, half)
EACH_WIDTH(HALF_AND_NATIVE, native)
#endif
