/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2: hyperbolic functions and their inverses. */
#include "real.h"

/* e^|x| / 2; a little beyond EXP_HIGH it isn't infinite yet. */
INLINE real half_exp_of(real size) {
    bits k;
    real p = exp_parts(size > EXP_HIGH + 1 ? EXP_HIGH + 1 : size, &k);
    return scaled(p, k - 1);
}
/* By e^|x| - 1, which loses nothing near 0. */
OVERLOAD real sinh(real x) {
    real size = magnitude(x);
    bool extreme = !(size <= EXP_HIGH - 2);
    real e = expm1_positive(size);
    real result = (real)0.5 * (e + e / (e + 1));
    RARELY(extreme) { result = half_exp_of(size); }
    return signed_as(result, x);
}
OVERLOAD real cosh(real x) {
    real e = half_exp_of(magnitude(x));
    return e + (real)0.25 / e;
}
OVERLOAD real tanh(real x) {
    real size = magnitude(x);
    real e = expm1_positive(2 * (size > TANH_HIGH ? TANH_HIGH : size));
    return signed_as(e / (e + 2), x);
}

/* log(2x) for arguments up to infinity; keeps NaN. */
INLINE real log_of_double(real x) { return x <= LARGEST ? log_core(x) + LN_2 : x; }

/* Beyond LARGE log(2x): the square would overflow. */
OVERLOAD real asinh(real x) {
    real size = magnitude(x);
    real square = size * size;
    real result = log1p_core(size + square / (1 + root(1 + square)));
    RARELY(!(size <= LARGE)) { result = log_of_double(size); }
    return signed_as(result, x);
}
OVERLOAD real acosh(real x) {
    real t = x - 1;
    real result = log1p_core(t + root(fused(t, t, 2 * t)));
    RARELY(outside(x, 1, LARGE)) {
        result = log_of_double(x);
        result = x < 1 ? (real)NAN : result;
    }
    return result;
}
OVERLOAD real atanh(real x) {
    real size = magnitude(x);
    bool extreme = !(size < 1);
    real result = (real)0.5 * log1p_core(2 * size / (1 - size));
    RARELY(extreme) { result = size == 1 ? (real)INFINITY : (real)NAN; }
    return signed_as(result, x);
}

EACH_VECTOR(MAP_1, sinh, real, real)
EACH_VECTOR(MAP_1, cosh, real, real)
EACH_VECTOR(MAP_1, tanh, real, real)
EACH_VECTOR(MAP_1, asinh, real, real)
EACH_VECTOR(MAP_1, acosh, real, real)
EACH_VECTOR(MAP_1, atanh, real, real)
