/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2: exponentials and logarithms. */
#include "real.h"

/* Even powers of two: twice the rest, but no power that doesn't exist, or isn't normal, as half of
 * one. Of what is too large, the rest takes the polynomial to infinity. */
OVERLOAD real exp(real x) {
    x = x < EXP_LOW ? EXP_LOW : x;
    const real rounder = 2 * (real)ROUNDER + 2 * BIAS; /* to even numbers */
    real t = at_most(x * LOG2_E, EXP_HIGH * LOG2_E) + rounder;
    real n = t - rounder;
    real r = fused(n, -LN_2_LOW, fused(n, -LN_2, x));
    real half_power = AS_REAL(AS_BITS(t) << FRACTION_BITS);
    return never_negative(fused(expm1_of_wide_rest(r), half_power, half_power) * half_power);
}
OVERLOAD real exp2(real x) { return exp2_sum(x, 0); }
OVERLOAD real exp10(real x) {
    x = x < EXP10_LOW ? EXP10_LOW : x;
    real t = at_most(x * LOG2_10, EXP10_HIGH * LOG2_10) + EXPONENT_ROUNDER;
    real n = t - EXPONENT_ROUNDER;
    real r = fused(n, -LOG10_2_LOW, fused(n, -LOG10_2, x));
    return never_negative(scaled(exp10_polynomial(r) * r + 1, AS_BITS(t)));
}
OVERLOAD real expm1(real x) {
    return signed_as(expm1_core(x > EXPM1_HIGH ? EXPM1_HIGH : x), x);
}

OVERLOAD real log(real x) {
    real m;
    real e = split(x, (real)0.75, &m);
    return log_of_parts(m, log_domain(x, e));
}

#ifdef REAL_IS_DOUBLE
OVERLOAD real log2(real x) {
    real low;
    return log_domain(x, log2_sum(x, &low));
}
OVERLOAD real log10(real x) {
    real low;
    real high = log2_sum(x, &low);
    return log_domain(x, fused(high, LOG10_2, fused(high, LOG10_2_LOW, low * LOG10_2)));
}
#else
/* Without the division: log2(e) f and so on as two floats, then a polynomial. */
OVERLOAD real log2(real x) {
    real m;
    real e = log_domain(x, split(x, 0.70710678f, &m));
    real f = m - 1;
    return e + fused(f, 0x1.715476p0f, f * LOG2_POLYNOMIAL(f));
}
OVERLOAD real log10(real x) {
    real m;
    real e = log_domain(x, split(x, 0.70710678f, &m));
    real f = m - 1;
    real p = fused(f, 0x1.bcb7b2p-2f, f * LOG10_POLYNOMIAL(f));
    return fused(e, LOG10_2, fused(e, LOG10_2_LOW, p));
}
#endif

/* The domain of 1 + x, and tiny x as they are (-0 too). */
OVERLOAD real log1p(real x) {
    real result = x < INFINITY ? log1p_core(x) : x;
    result = x == -1 ? -(real)INFINITY : result;
    result = x < -1 ? (real)NAN : result;
    return magnitude(x) < NEGLIGIBLE ? x : result;
}

EACH_VECTOR(MAP_1, exp, real, real)
EACH_VECTOR(MAP_1, exp2, real, real)
EACH_VECTOR(MAP_1, exp10, real, real)
EACH_VECTOR(MAP_1, expm1, real, real)
EACH_VECTOR(MAP_1, log, real, real)
EACH_VECTOR(MAP_1, log2, real, real)
EACH_VECTOR(MAP_1, log10, real, real)
EACH_VECTOR(MAP_1, log1p, real, real)

#ifndef REAL_IS_DOUBLE
#define HALF(f)                                                                                    \
    OVERLOAD float half_##f(float x) { return f(x); }                                              \
    EACH_VECTOR(MAP_1, half_##f, float, float)
#define HALF_AND_NATIVE(f)                                                                         \
    HALF(f)                                                                                        \
    OVERLOAD float native_##f(float x) { return f(x); }                                            \
    EACH_VECTOR(MAP_1, native_##f, float, float)
HALF_AND_NATIVE(exp)
HALF_AND_NATIVE(exp2)
HALF_AND_NATIVE(exp10)
HALF(log)
HALF(log2)
HALF(log10)
#endif
