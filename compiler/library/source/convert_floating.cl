/* SPDX-License-Identifier: Apache-2.0 */
/* 6.2.3: conversions to float, double and half. */
#include "rounding.h"

/* If every value of the source type is representable, the rounding mode is irrelevant. */
#define EXACT(TO, T)                                                                               \
    EACH_WIDTH(EXACT_MODE, TO, T, )                                                                \
    EACH_WIDTH(EXACT_MODE, TO, T, _rte)                                                            \
    EACH_WIDTH(EXACT_MODE, TO, T, _rtz)                                                            \
    EACH_WIDTH(EXACT_MODE, TO, T, _rtp)                                                            \
    EACH_WIDTH(EXACT_MODE, TO, T, _rtn)
#define EXACT_MODE(n, TO, T, mode)                                                                 \
    OVERLOAD TO##n convert_##TO##n##mode(T##n x) { return CONVERT(n, x, TO); }

#define ROUNDED(TO, T)                                                                             \
    ROUNDED_MODE(TO, T, , _rte)                                                                    \
    ROUNDED_MODE(TO, T, _rte, _rte)                                                                \
    ROUNDED_MODE(TO, T, _rtz, _rtz)                                                                \
    ROUNDED_MODE(TO, T, _rtp, _rtp)                                                                \
    ROUNDED_MODE(TO, T, _rtn, _rtn)
#define ROUNDED_MODE(TO, T, mode, rounding)                                                        \
    OVERLOAD TO convert_##TO##mode(T x) { return TO##_from_##T##rounding(x); }                     \
    EACH_VECTOR(ROUNDED_VECTOR, TO, T, mode, rounding)
#define ROUNDED_VECTOR(n, TO, T, mode, rounding)                                                   \
    OVERLOAD TO##n convert_##TO##n##mode(T##n x) {                                                 \
        TO##n result;                                                                              \
        _Pragma("unroll") for (int i = 0; i < n; ++i) result[i] = TO##_from_##T##rounding(x[i]);   \
        return result;                                                                             \
    }

EXACT(half, char)
EXACT(half, uchar)
EXACT(half, half)
ROUNDED(half, short)
ROUNDED(half, ushort)
ROUNDED(half, int)
ROUNDED(half, uint)
ROUNDED(half, long)
ROUNDED(half, ulong)
ROUNDED(half, float)
ROUNDED(half, double)

EXACT(float, char)
EXACT(float, uchar)
EXACT(float, short)
EXACT(float, ushort)
EXACT(float, half)
EXACT(float, float)
ROUNDED(float, int)
ROUNDED(float, uint)
ROUNDED(float, long)
ROUNDED(float, ulong)
ROUNDED(float, double)

EXACT(double, char)
EXACT(double, uchar)
EXACT(double, short)
EXACT(double, ushort)
EXACT(double, int)
EXACT(double, uint)
EXACT(double, half)
EXACT(double, float)
EXACT(double, double)
ROUNDED(double, long)
ROUNDED(double, ulong)
