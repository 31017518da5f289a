/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2: fmod, remainder and remquo, exact. */
#include "builtin.h"

#define magnitude __builtin_elementwise_abs
#define signed_as __builtin_elementwise_copysign
#define fused __builtin_elementwise_fma

/* As long as the quotient is small, it is rounded to an integer (by adding `rounder`: also halfway
 * to the even one), and one fused operation makes the rest, which is exact: it is a multiple of the
 * last place of b or of a smaller a, and no larger than b. A larger rest, or NaN, shows that the
 * quotient was too large or that an argument was special. Then the significands are divided.
 *
 * bits: of the stored fraction; chunk: quotient bits that one integer division gives; rounder: what
 * leaves integers below `most` in the low bits */
#define REMAINDERS(T, U, S, bits, chunk, rounder, most)                                            \
    /* |x| modulo |y| for finite x, y not 0; *quotient: its low bits. */                           \
    INLINE T modulo_##T(T x, T y, uint *quotient) {                                                \
        U a = __builtin_astype(magnitude(x), U), b = __builtin_astype(magnitude(y), U);            \
        const U one = (U)1 << bits;                                                                \
        U ea = a >> bits, eb = b >> bits;                                                          \
        U ma = ea ? (a & (one - 1)) | one : a, mb = eb ? (b & (one - 1)) | one : b;                \
        ea = maximum(ea, (U)1), eb = maximum(eb, (U)1);                                            \
        mb = maximum(mb, (U)1);                                                                    \
        int left = (int)ea - (int)eb;                                                              \
        U q = left < 0 ? 0 : ma / mb, rest = left < 0 ? 0 : ma % mb;                               \
        for (; left > 0; left -= chunk) {                                                          \
            int step = minimum(left, chunk);                                                       \
            U dividend = rest << step;                                                             \
            q = (q << step) + dividend / mb;                                                       \
            rest = dividend % mb;                                                                  \
        }                                                                                          \
        *quotient = (uint)q;                                                                       \
        /* rest * 2^(eb …): normalised as far as the exponent allows */                            \
        int up = (int)__builtin_elementwise_clzg(rest, (U)0) - (int)(8 * sizeof(U) - bits - 1);    \
        up = minimum(maximum(up, 0), (int)eb - 1);                                                 \
        U fraction = rest << up;                                                                   \
        U exponent = fraction & one ? eb - (U)up : 0;                                              \
        U result = (fraction & (one - 1)) | exponent << bits;                                      \
        return __builtin_astype(a < b ? a : result, T);                                            \
    }                                                                                              \
    INLINE bool undefined_##T(T x, T y) {                                                          \
        return !(magnitude(x) < (T)INFINITY) | (y == (T)0) | (y != y);                             \
    }                                                                                              \
    INLINE T careful_fmod_##T(T x, T y) {                                                          \
        uint quotient;                                                                             \
        T rest = modulo_##T(x, y, &quotient);                                                      \
        return undefined_##T(x, y) ? (T)NAN : rest;                                                \
    }                                                                                              \
    /* The quotient to the nearest integer may be off by one, which leaves a negative rest. */     \
    OVERLOAD T fmod(T x, T y) {                                                                    \
        T a = magnitude(x), b = magnitude(y);                                                      \
        T quotient = (a / b + (T)rounder) - (T)rounder;                                            \
        T rest = fused(-quotient, b, a);                                                           \
        rest = rest < (T)0 ? rest + b : rest;                                                      \
        RARELY(__builtin_astype(rest, U) >= __builtin_astype(b, U)) {                              \
            rest = careful_fmod_##T(x, y);                                                         \
        }                                                                                          \
        return signed_as(rest, x);                                                                 \
    }                                                                                              \
    /* What differs by a multiple of b is the nearest rest, unless it is more than half of b. */   \
    INLINE bool not_nearest_##T(T rest, T b) {                                                     \
        T twice = magnitude(rest + rest);                                                          \
        return __builtin_astype(twice, U) > __builtin_astype(b, U); /* or NaN, or b is 0 */        \
    }                                                                                              \
    INLINE T with_sign_of_##T(T rest, T x) { /* turns it if x is negative */                       \
        U sign = __builtin_astype(x, U) & (U)1 << (8 * sizeof(U) - 1);                             \
        return __builtin_astype(__builtin_astype(rest, U) ^ sign, T);                              \
    }                                                                                              \
    /* To the nearer multiple; halfway to the even one. The difference is exact. */                \
    INLINE T careful_remquo_##T(T x, T y, private int *quo) {                                      \
        uint quotient;                                                                             \
        T rest = modulo_##T(x, y, &quotient);                                                      \
        T above = magnitude(y) - rest;                                                             \
        bool up = (rest > above) | ((rest == above) & (quotient & 1));                             \
        T size = up ? -above : rest;                                                               \
        int low = (int)((quotient + up) & 127);                                                    \
        bool opposite = signed_as((T)1, x) != signed_as((T)1, y);                                  \
        bool none = undefined_##T(x, y);                                                           \
        *quo = none ? 0 : opposite ? -low : low;                                                   \
        T result = signed_as((T)1, x) < (T)0 ? -size : size;                                       \
        result = size == (T)0 ? signed_as(result, x) : result;                                     \
        return none ? (T)NAN : result;                                                             \
    }                                                                                              \
    OVERLOAD T remquo(T x, T y, private int *quo) {                                                \
        T a = magnitude(x), b = magnitude(y), ratio = a / b;                                       \
        T quotient = ratio + (T)rounder;                                                           \
        T rest = fused((T)rounder - quotient, b, a);                                               \
        int low = (int)(__builtin_astype(quotient, U) & 127);                                      \
        T result = with_sign_of_##T(rest, x);                                                      \
        int signed_low = (S)(__builtin_astype(x, U) ^ __builtin_astype(y, U)) < 0 ? -low : low;    \
        RARELY(not_nearest_##T(rest, b) | (ratio >= (T)most)) {                                    \
            result = careful_remquo_##T(x, y, &signed_low);                                        \
        }                                                                                          \
        *quo = signed_low;                                                                         \
        return result;                                                                             \
    }                                                                                              \
    OVERLOAD T remainder(T x, T y) {                                                               \
        T a = magnitude(x), b = magnitude(y);                                                      \
        T quotient = (a / b + (T)rounder) - (T)rounder;                                            \
        T rest = fused(-quotient, b, a);                                                           \
        T result = with_sign_of_##T(rest, x);                                                      \
        RARELY(not_nearest_##T(rest, b)) {                                                         \
            int unused;                                                                            \
            result = careful_remquo_##T(x, y, &unused);                                            \
        }                                                                                          \
        return result;                                                                             \
    }
REMAINDERS(float, uint, int, 23, 8, 0x1.8p23, 0x1p22)
REMAINDERS(double, ulong, long, 52, 11, 0x1.8p52, 0x1p51)

/* Exact results of halves are halves. */
OVERLOAD half fmod(half x, half y) { return (half)fmod((float)x, (float)y); }
OVERLOAD half remainder(half x, half y) { return (half)remainder((float)x, (float)y); }
OVERLOAD half remquo(half x, half y, private int *quo) {
    return (half)remquo((float)x, (float)y, quo);
}

#define REMQUO_VECTOR(n, T, space)                                                                 \
    OVERLOAD T##n remquo(T##n x, T##n y, space int##n *quo) {                                      \
        T##n result;                                                                               \
        int##n quotients;                                                                          \
        _Pragma("unroll") for (int i = 0; i < n; ++i) {                                            \
            int one;                                                                               \
            result[i] = remquo(x[i], y[i], (private int *)&one);                                   \
            quotients[i] = one;                                                                    \
        }                                                                                          \
        *quo = quotients;                                                                          \
        return result;                                                                             \
    }
#define REMQUO(space, T)                                                                           \
    OVERLOAD T remquo(T x, T y, space int *quo) {                                                  \
        int one;                                                                                   \
        T result = remquo(x, y, (private int *)&one);                                              \
        *quo = one;                                                                                \
        return result;                                                                             \
    }                                                                                              \
    EACH_VECTOR(REMQUO_VECTOR, T, space)
#define VECTORS(T)                                                                                 \
    EACH_VECTOR(MAP_2, fmod, T, T, T)                                                              \
    EACH_VECTOR(MAP_2, remainder, T, T, T)                                                         \
    EACH_VECTOR(REMQUO_VECTOR, T, private)                                                         \
    EACH_OTHER_SPACE(REMQUO, T)
VECTORS(float)
VECTORS(double)
VECTORS(half)
