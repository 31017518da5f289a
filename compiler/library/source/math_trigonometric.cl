/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2: sin, cos, tan and their …pi forms. */
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

/* x less the nearest integer, of which *odd tells the last bit. */
INLINE real less_integer(real x, bool *odd) {
    real t = x + ROUNDER;
    real rest = x - (t - ROUNDER);
    *odd = AS_BITS(t) & 1;
    RARELY(!(magnitude(x) < ROUNDER / 4)) {
        real y = modulo_2(x), n = integral(y);
        rest = y - n;
        *odd = n != 0;
    }
    return rest;
}

/* 7.5.1: zeros at integers have the sign of x, for tanpi at odd ones of -x. */
OVERLOAD real sinpi(real x) {
    bool odd;
    real rest = less_integer(x, &odd);
    real result = with_sign_bit(sin_core(rest * PI_HIGH), odd);
    return rest == 0 ? signed_as(rest, x) : result;
}
OVERLOAD real cospi(real x) {
    return sin_core(((real)0.5 - magnitude(modulo_2(x))) * PI_HIGH);
}
OVERLOAD real tanpi(real x) {
    bool odd;
    real r = less_integer(x, &odd);
    real t = sin_core(r * PI_HIGH) / sin_core(((real)0.5 - magnitude(r)) * PI_HIGH);
    return r == 0 ? signed_as(r, with_sign_bit(x, odd)) : t;
}

EACH_VECTOR(MAP_1, sin, real, real)
EACH_VECTOR(MAP_1, cos, real, real)
EACH_VECTOR(MAP_1, tan, real, real)
EACH_VECTOR(MAP_1, sinpi, real, real)
EACH_VECTOR(MAP_1, cospi, real, real)
EACH_VECTOR(MAP_1, tanpi, real, real)
EACH_VECTOR(MAP_OUT, sincos, real, real, private)
EACH_OTHER_SPACE(MAP_OUT_SCALAR_AND_VECTORS, sincos, real, real)
