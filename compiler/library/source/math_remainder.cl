/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2: fmod, remainder and remquo, exact: long division of the significands. */
#include "builtin.h"

#define magnitude __builtin_elementwise_abs
#define signed_as __builtin_elementwise_copysign

/* bits: of the stored fraction; chunk: quotient bits that one integer division gives */
#define REMAINDERS(T, U, bits, chunk)                                                              \
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
    OVERLOAD T fmod(T x, T y) {                                                                    \
        uint quotient;                                                                             \
        T rest = signed_as(modulo_##T(x, y, &quotient), x);                                        \
        return undefined_##T(x, y) ? (T)NAN : rest;                                                \
    }                                                                                              \
    /* To the nearer multiple; halfway to the even one. The difference is exact. */                \
    OVERLOAD T remquo(T x, T y, private int *quo) {                                                \
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
    OVERLOAD T remainder(T x, T y) {                                                               \
        int quotient;                                                                              \
        return remquo(x, y, &quotient);                                                            \
    }
REMAINDERS(float, uint, 23, 8)
REMAINDERS(double, ulong, 52, 11)

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
