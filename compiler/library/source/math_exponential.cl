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
    real e = split_any(x, (real)0.75, &m);
    return log_of_parts(m, e);
}

#ifdef REAL_IS_DOUBLE
OVERLOAD real log2(real x) {
    real m;
    real e = split_any(x, 0.75, &m);
    real p = log1p_polynomial(m - 1);
    return e + fused(p, LOG2_E, p * LOG2_E_LOW);
}
OVERLOAD real log10(real x) {
    real m;
    real e = split_any(x, 0.75, &m);
    real p = log1p_polynomial(m - 1);
    p = fused(p, LOG10_E, p * LOG10_E_LOW);
    return fused(e, LOG10_2, fused(e, LOG10_2_LOW, p));
}
#else
/* Without the division: log2(e) f and so on as two floats, then a polynomial. */
OVERLOAD real log2(real x) {
    real m;
    real e = split_any(x, 0.70710678f, &m);
    real f = m - 1;
    return e + fused(f, 0x1.715476p0f, f * LOG2_POLYNOMIAL(f));
}
OVERLOAD real log10(real x) {
    real m;
    real e = split_any(x, 0.70710678f, &m);
    real f = m - 1;
    real p = fused(f, 0x1.bcb7b2p-2f, f * LOG10_POLYNOMIAL(f));
    return fused(e, LOG10_2, fused(e, LOG10_2_LOW, p));
}
#endif

/* The result has the sign of x, of -0 too. */
OVERLOAD real log1p(real x) {
    bool extreme = outside(1 + x, NEGLIGIBLE, LARGEST / 4);
    real result = log1p_core(x);
    RARELY(extreme) {
        result = log_core(x);
        result = x <= LARGEST ? result : x;
        result = x == -1 ? (real)INFINITY : result;
        result = x < -1 ? (real)NAN : result;
    }
    return signed_as(result, x);
}

EACH_VECTOR(MAP_1, exp, real, real)
EACH_VECTOR(MAP_1, exp2, real, real)
EACH_VECTOR(MAP_1, exp10, real, real)
EACH_VECTOR(MAP_1, expm1, real, real)
EACH_VECTOR(MAP_1, log, real, real)
EACH_VECTOR(MAP_1, log2, real, real)
EACH_VECTOR(MAP_1, log10, real, real)
EACH_VECTOR(MAP_1, log1p, real, real)
