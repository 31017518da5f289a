/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2: functions that take a number apart into fraction and exponent, by its bits. */
#include "builtin.h"

#define magnitude __builtin_elementwise_abs
#define signed_as __builtin_elementwise_copysign

/* bits: of the stored fraction; bias: of 1.0's exponent */
#define EXPONENT(T, U, S, bits, bias)                                                              \
    /* The fraction's bits of a finite x that isn't zero; *e: the biased exponent, below 1 for     \
     * denormals, which are shifted up. */                                                         \
    INLINE U parts_##T(T x, int *e) {                                                              \
        U size = __builtin_astype(magnitude(x), U);                                                \
        int up = maximum((int)__builtin_elementwise_clzg(size, (U)0) -                             \
                             (int)(8 * sizeof(U) - bits - 1), 0);                                  \
        bool denormal = size >> bits == 0;                                                         \
        *e = denormal ? 1 - up : (int)(size >> bits);                                              \
        return (denormal ? size << up : size) & (((U)1 << bits) - 1);                              \
    }                                                                                              \
    INLINE bool special_##T(T x) { return (x == (T)0) | !(magnitude(x) < (T)INFINITY); }           \
    INLINE OVERLOAD T careful_frexp(T x, private int *exponent) {                                  \
        int e;                                                                                     \
        U fraction = parts_##T(x, &e);                                                             \
        T half_to_one = __builtin_astype(fraction | (U)(bias - 1) << bits, T);                     \
        *exponent = special_##T(x) ? 0 : e - (bias - 1);                                           \
        return special_##T(x) ? x : signed_as(half_to_one, x);                                     \
    }                                                                                              \
    INLINE OVERLOAD int careful_ilogb(T x) {                                                       \
        int e;                                                                                     \
        parts_##T(x, &e);                                                                          \
        int result = magnitude(x) < (T)INFINITY ? e - bias : INT_MAX;                              \
        result = x == x ? result : FP_ILOGBNAN;                                                    \
        return x == (T)0 ? FP_ILOGB0 : result;                                                     \
    }                                                                                              \
    INLINE OVERLOAD T careful_logb(T x) {                                                          \
        int e;                                                                                     \
        parts_##T(x, &e);                                                                          \
        T result = magnitude(x) < (T)INFINITY ? (T)(e - bias) : magnitude(x);                      \
        return x == (T)0 ? -(T)INFINITY : result;                                                  \
    }                                                                                              \
    /* The exponent is put together well inside of the range, and one product rounds. */           \
    INLINE OVERLOAD T careful_ldexp(T x, int k) {                                                  \
        int e;                                                                                     \
        U fraction = parts_##T(x, &e);                                                             \
        e += minimum(maximum(k, -4 * bias), 4 * bias);                                             \
        e = minimum(maximum(e, -bits - 8), 2 * bias + 2);                                          \
        bool large = e > bias;                                                                     \
        T moved = __builtin_astype(fraction | (U)(e + (large ? -64 : 64)) << bits, T);             \
        T result = signed_as(moved * (large ? (T)0x1p64 : (T)0x1p-64), x);                         \
        return special_##T(x) ? x : result;                                                        \
    }                                                                                              \
                                                                                                   \
    /* Of numbers that are normal, as their exponents tell. */                                     \
    INLINE U exponent_##T(T x) { return __builtin_astype(x, U) << 1 >> (bits + 1); }               \
    INLINE bool unusual_##T(U exponent) { return exponent - 1 >= (U)(2 * bias); }                  \
    OVERLOAD T frexp(T x, private int *exponent) {                                                 \
        const U field = (U)(2 * bias + 1) << bits;                                                 \
        U e = exponent_##T(x), fraction = __builtin_astype(x, U) & ~field;                         \
        T result = __builtin_astype(fraction | (U)(bias - 1) << bits, T);                          \
        int power = (int)e - (bias - 1);                                                           \
        RARELY(unusual_##T(e)) { result = careful_frexp(x, &power); }                              \
        *exponent = power;                                                                         \
        return result;                                                                             \
    }                                                                                              \
    OVERLOAD int ilogb(T x) {                                                                      \
        U e = exponent_##T(x);                                                                     \
        int result = (int)e - bias;                                                                \
        RARELY(unusual_##T(e)) { result = careful_ilogb(x); }                                      \
        return result;                                                                             \
    }                                                                                              \
    OVERLOAD T logb(T x) {                                                                         \
        U e = exponent_##T(x);                                                                     \
        T result = (T)(S)(e - bias);                                                               \
        RARELY(unusual_##T(e)) { result = careful_logb(x); }                                       \
        return result;                                                                             \
    }                                                                                              \
    OVERLOAD T ldexp(T x, int k) {                                                                 \
        U e = exponent_##T(x), change = (U)(S)k;                                                   \
        T result = __builtin_astype(__builtin_astype(x, U) + (change << bits), T);                 \
        RARELY(unusual_##T(e) | unusual_##T(e + change)) { result = careful_ldexp(x, k); }         \
        return result;                                                                             \
    }
EXPONENT(float, uint, int, 23, 127)
EXPONENT(double, ulong, long, 52, 1023)

/* float holds every half and every intermediate result. */
OVERLOAD half frexp(half x, private int *exponent) { return (half)frexp((float)x, exponent); }
OVERLOAD int ilogb(half x) { return ilogb((float)x); }
OVERLOAD half logb(half x) { return (half)logb((float)x); }
OVERLOAD half ldexp(half x, int k) { return (half)ldexp((float)x, k); }

#define LDEXP_BY_SCALAR(n, T)                                                                      \
    OVERLOAD T##n ldexp(T##n x, int k) { return ldexp(x, (int##n)k); }
#define VECTORS(T)                                                                                 \
    EACH_VECTOR(MAP_OUT, frexp, T, int, private)                                                   \
    EACH_OTHER_SPACE(MAP_OUT_SCALAR_AND_VECTORS, frexp, T, int)                                    \
    EACH_VECTOR(MAP_1, ilogb, int, T)                                                              \
    EACH_VECTOR(MAP_1, logb, T, T)                                                                 \
    EACH_VECTOR(MAP_2, ldexp, T, T, int)                                                           \
    EACH_VECTOR(LDEXP_BY_SCALAR, T)
VECTORS(float)
VECTORS(double)
VECTORS(half)
