/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2: sin, cos, tan and their …pi and half_ forms. */
#include "real.h"

OVERLOAD real sin(real x) { return sin_shifted(x, 0); }
OVERLOAD real cos(real x) { return sin_shifted(x, (real)0.5); }

OVERLOAD real tan(real x) {
    uint n;
    real c;
    real s = sin_and_cos(x, &c, &n);
    return (n & 1 ? c : s) / (n & 1 ? -s : c);
}

OVERLOAD real sincos(real x, private real *cosine) {
    uint n;
    real c;
    real s = sin_and_cos(x, &c, &n);
    *cosine = with_sign_bit(n & 1 ? s : c, (n + 1) & 2);
    return with_sign_bit(n & 1 ? c : s, n & 2);
}

/* 7.5.1: zeros at integers have the sign of x, for tanpi at odd ones of -x. */
OVERLOAD real sinpi(real x) {
    return integral(x) == x ? signed_as(0 * x, x) : sin_of_half_turns(x);
}
OVERLOAD real cospi(real x) {
    return sin_core(((real)0.5 - magnitude(modulo_2(x))) * PI_HIGH);
}
OVERLOAD real tanpi(real x) {
    real y = modulo_2(x);
    real n = integral(y);
    real r = y - n;
    real t = sin_core(r * PI_HIGH) / sin_core(((real)0.5 - magnitude(r)) * PI_HIGH);
    real zero = signed_as((real)0, n == 0 ? x : -x);
    return r == 0 ? zero : t;
}

EACH_VECTOR(MAP_1, sin, real, real)
EACH_VECTOR(MAP_1, cos, real, real)
EACH_VECTOR(MAP_1, tan, real, real)
EACH_VECTOR(MAP_1, sinpi, real, real)
EACH_VECTOR(MAP_1, cospi, real, real)
EACH_VECTOR(MAP_1, tanpi, real, real)
EACH_VECTOR(MAP_OUT, sincos, real, real, private)
EACH_OTHER_SPACE(MAP_OUT_SCALAR_AND_VECTORS, sincos, real, real)

#ifndef REAL_IS_DOUBLE
/* x
 *
 *  is at most 2^16 (table 6.9); beyond that, any result between -1 and 1 is allowed. */
INLINE float half_sin_shifted(float x, float shift) {
    float t = x * INVERSE_PI + shift + ROUNDER;
    float r = less_half_turns(x, t - ROUNDER - shift);
    r = magnitude(r) <= 2 ? r : fused(x, 0.0f, shift); /* infinities and NaN become NaN */
    return sin_core(with_sign_bit(r, as_uint(t) & 1));
}
OVERLOAD float half_sin(float x) { return half_sin_shifted(x, 0.0f); }
OVERLOAD float half_cos(float x) { return half_sin_shifted(x, 0.5f); }
OVERLOAD float half_tan(float x) {
    return half_sin_shifted(x, 0.0f) / half_sin_shifted(x, 0.5f);
}
EACH_VECTOR(MAP_1, half_sin, float, float)
EACH_VECTOR(MAP_1, half_cos, float, float)
EACH_VECTOR(MAP_1, half_tan, float, float)
#endif
