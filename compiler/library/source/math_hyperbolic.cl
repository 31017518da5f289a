/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2: hyperbolic functions and their inverses. */
#include "real.h"

/* e^|x| / 2; a little beyond EXP_HIGH it isn't infinite yet. */
INLINE real half_exp_of(real size) {
    bits k;
    real p = exp_parts(size > EXP_HIGH + 1 ? EXP_HIGH + 1 : size, &k);
    return scaled(p, k - 1);
}
OVERLOAD real sinh(real x) {
    real e = half_exp_of(magnitude(x));
    real large_result = signed_as(e - (real)0.25 / e, x);
    real small_result = x * fused(x * x, sinh_polynomial(x * x), 1);
    return magnitude(x) > 1 ? large_result : small_result;
}
OVERLOAD real cosh(real x) {
    real e = half_exp_of(magnitude(x));
    return e + (real)0.25 / e;
}
OVERLOAD real tanh(real x) {
    real size = magnitude(x);
    real e = expm1_core(2 * (size > TANH_HIGH ? TANH_HIGH : size));
    return signed_as(e / (e + 2), x);
}

/* log1p for arguments up to infinity. */
INLINE real log1p_positive(real x) { return x < INFINITY ? log1p_core(x) : x; }

/* Beyond LARGE log(2x): the square would overflow. */
OVERLOAD real asinh(real x) {
    real size = magnitude(x);
    real square = size * size;
    real w = size + square / (1 + root(1 + square));
    real result = log1p_positive(size > LARGE ? size : w);
    result += size > LARGE ? LN_2 : 0;
    return size < NEGLIGIBLE ? x : signed_as(result, x);
}
OVERLOAD real acosh(real x) {
    real t = x - 1;
    real w = t + root(fused(t, t, 2 * t));
    real result = log1p_positive(x > LARGE ? x : w);
    return x < 1 ? (real)NAN : result + (x > LARGE ? LN_2 : 0);
}
OVERLOAD real atanh(real x) {
    real size = magnitude(x);
    real result = (real)0.5 * log1p_positive(2 * size / (1 - size));
    result = size > 1 ? (real)NAN : result;
    return size < NEGLIGIBLE ? x : signed_as(result, x);
}

EACH_VECTOR(MAP_1, sinh, real, real)
EACH_VECTOR(MAP_1, cosh, real, real)
EACH_VECTOR(MAP_1, tanh, real, real)
EACH_VECTOR(MAP_1, asinh, real, real)
EACH_VECTOR(MAP_1, acosh, real, real)
EACH_VECTOR(MAP_1, atanh, real, real)
