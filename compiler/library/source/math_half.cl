/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2 for half: by way of float, whose few ulps vanish in the rounding. */
#include "builtin.h"

#define BY_FLOAT_1(n, f)                                                                           \
    OVERLOAD float##n f(float##n x);                                                               \
    OVERLOAD half##n f(half##n x) { return CONVERT(n, f(CONVERT(n, x, float)), half); }
#define BY_FLOAT_2(n, f)                                                                           \
    OVERLOAD float##n f(float##n x, float##n y);                                                   \
    OVERLOAD half##n f(half##n x, half##n y) {                                                     \
        return CONVERT(n, f(CONVERT(n, x, float), CONVERT(n, y, float)), half);                    \
    }
#define BY_FLOAT_INT(n, f)                                                                         \
    OVERLOAD float##n f(float##n x, int##n y);                                                     \
    OVERLOAD half##n f(half##n x, int##n y) {                                                      \
        return CONVERT(n, f(CONVERT(n, x, float), y), half);                                       \
    }

EACH_WIDTH(BY_FLOAT_1, acos)
EACH_WIDTH(BY_FLOAT_1, acosh)
EACH_WIDTH(BY_FLOAT_1, acospi)
EACH_WIDTH(BY_FLOAT_1, asin)
EACH_WIDTH(BY_FLOAT_1, asinh)
EACH_WIDTH(BY_FLOAT_1, asinpi)
EACH_WIDTH(BY_FLOAT_1, atan)
EACH_WIDTH(BY_FLOAT_1, atanh)
EACH_WIDTH(BY_FLOAT_1, atanpi)
EACH_WIDTH(BY_FLOAT_1, cbrt)
EACH_WIDTH(BY_FLOAT_1, cos)
EACH_WIDTH(BY_FLOAT_1, cosh)
EACH_WIDTH(BY_FLOAT_1, cospi)
EACH_WIDTH(BY_FLOAT_1, erf)
EACH_WIDTH(BY_FLOAT_1, erfc)
EACH_WIDTH(BY_FLOAT_1, exp)
EACH_WIDTH(BY_FLOAT_1, exp10)
EACH_WIDTH(BY_FLOAT_1, exp2)
EACH_WIDTH(BY_FLOAT_1, expm1)
EACH_WIDTH(BY_FLOAT_1, lgamma)
EACH_WIDTH(BY_FLOAT_1, log)
EACH_WIDTH(BY_FLOAT_1, log10)
EACH_WIDTH(BY_FLOAT_1, log1p)
EACH_WIDTH(BY_FLOAT_1, log2)
EACH_WIDTH(BY_FLOAT_1, rsqrt)
EACH_WIDTH(BY_FLOAT_1, sin)
EACH_WIDTH(BY_FLOAT_1, sinh)
EACH_WIDTH(BY_FLOAT_1, sinpi)
EACH_WIDTH(BY_FLOAT_1, tan)
EACH_WIDTH(BY_FLOAT_1, tanh)
EACH_WIDTH(BY_FLOAT_1, tanpi)
EACH_WIDTH(BY_FLOAT_1, tgamma)
EACH_WIDTH(BY_FLOAT_2, atan2)
EACH_WIDTH(BY_FLOAT_2, atan2pi)
EACH_WIDTH(BY_FLOAT_2, hypot)
EACH_WIDTH(BY_FLOAT_2, pow)
EACH_WIDTH(BY_FLOAT_2, powr)
EACH_WIDTH(BY_FLOAT_INT, pown)
EACH_WIDTH(BY_FLOAT_INT, rootn)

OVERLOAD float sincos(float x, private float *cosine);
OVERLOAD half sincos(half x, private half *cosine) {
    float c;
    half s = (half)sincos((float)x, (private float *)&c);
    *cosine = (half)c;
    return s;
}
OVERLOAD float lgamma_r(float x, private int *sign);
OVERLOAD half lgamma_r(half x, private int *sign) { return (half)lgamma_r((float)x, sign); }
EACH_VECTOR(MAP_OUT, sincos, half, half, private)
EACH_OTHER_SPACE(MAP_OUT_SCALAR_AND_VECTORS, sincos, half, half)
EACH_VECTOR(MAP_OUT, lgamma_r, half, int, private)
EACH_OTHER_SPACE(MAP_OUT_SCALAR_AND_VECTORS, lgamma_r, half, int)
