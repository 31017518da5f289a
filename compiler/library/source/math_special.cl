/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2: error functions and gamma. */
#include "real.h"

/* erfc(a) for 0 <= a: e^-a² (a² as two reals) times e^a² erfc(a). */
INLINE real erfc_core(real a) {
    a = a > ERFC_HIGH ? ERFC_HIGH : a;
    bits k;
    real square = a * a;
    real p = exp_parts(-square, &k);
    p = fused(-p, fused(a, a, -square), p);
    return scaled(p * erfcx_polynomial(a), k);
}
OVERLOAD real erfc(real x) {
    real positive = erfc_core(magnitude(x));
    return x < 0 ? 2 - positive : positive;
}
#ifdef REAL_IS_DOUBLE
INLINE real erf_of_large(real size) { return 1 - erfc_core(size); }
#endif
OVERLOAD real erf(real x) {
    real size = magnitude(x);
    real large_result = erf_of_large(size);
    return signed_as(size > ERF_SMALL ? large_result : size * erf_polynomial(x * x), x);
}

/* Γ(a) / 2^k for 0 < a, k in the low bits. */
INLINE real gamma_parts(real a, bits *k) {
    a = at_most(a, GAMMA_HIGH);
    bool shifted = a < GAMMA_SHIFT;
    real y = shifted ? a + GAMMA_SHIFT : a;
    real y_low = shifted ? a - (y - GAMMA_SHIFT) : 0; /* what rounding took */
    /* log2 of y^(y-½) e^-y as two reals */
    real low;
    real high = log2_sum(y, &low);
    real power = y - (real)0.5;
    real product = power * high;
    real product_low = fused(power, high, -product) + fused(power, low, y_low * high);
    real decay = y * LOG2_E;
    real sum = product - decay;
    product_low += (product - sum) - decay;
    product_low -= fused(y, LOG2_E_LOW, fused(y, LOG2_E, -decay));
    real t = sum + ROUNDER;
    real r = (sum - (t - ROUNDER)) + product_low;
    *k = AS_BITS(t);
    real p = fused(exp2_polynomial(r), r, 1) * (ROOT_2_PI * stirling_factor(y));
    return shifted ? p / rising_product(a) : p;
}

/* Below zero by Γ(x) Γ(-x) = -π / (x sin πx) */
OVERLOAD real tgamma(real x) {
    bits k;
    real size = magnitude(x);
    bool extreme = outside(x, NEGLIGIBLE, GAMMA_NORMAL);
    real g = gamma_parts(size, &k);
    real result = AS_REAL(AS_BITS(g) + (k << FRACTION_BITS));
    RARELY(extreme) {
        real reflected = -PI_HIGH / (x * sin_of_half_turns(x) * g);
        result = scaled(x > 0 ? g : reflected, 2 * BIAS + (x > 0 ? k : -k));
        result = (x < 0) & (integral(x) == x) ? (real)NAN : result;
        result = size < NEGLIGIBLE ? 1 / x : result;
        result = x < INFINITY ? result : x;
    }
    return result;
}

/* log Γ(a) for 0 < a: near the zeros at 1 and 2 as (a-1)(a-2) times a polynomial, close to those
 * via Γ(a+1) = a Γ(a); otherwise by Stirling's formula at a or a + LOG_GAMMA_SHIFT. */
INLINE real log_gamma_positive(real a) {
    bool low = a < (real)0.8, high = a > (real)2.5, higher = a > (real)3.5;
    real b = low ? a + 1 : higher ? a - 2 : high ? a - 1 : a;
    real b_minus_1 = low ? a : b - 1;
    real q = log_gamma_polynomial(b - (real)1.65);
    real factor = low ? a : higher ? b * (b + 1) : high ? b : 1;
    bool is_far = !(a < (real)4.5), shifted = is_far & (a < LOG_GAMMA_SHIFT);
    real y = shifted ? a + LOG_GAMMA_SHIFT : a;
    real logarithm = log_of_normal(is_far ? y : factor);
    real near = fused(b_minus_1 * (b - 2), q, low ? -logarithm : logarithm);
    real far = fused(y - (real)0.5, logarithm - 1, stirling_series(y) + STIRLING_CONSTANT);
    if (shifted)
        far -= log_of_normal(rising_product(a));
    return is_far ? far : near;
}

/* 7.5.1: the sign is 0 at zero and negative integers. */
INLINE real log_gamma(real x, int *sign) {
    real size = magnitude(x);
    real result = log_gamma_positive(size);
    *sign = 1;
    RARELY(outside(x, NEGLIGIBLE, LARGEST)) {
        real sine = sin_of_half_turns(x);
        real reflected = log_core(PI_HIGH / magnitude(x * sine)) - result;
        bool pole = (x == 0) | ((x < 0) & (integral(x) == x));
        *sign = pole ? 0 : (x < 0) & (sine < 0) ? -1 : 1;
        result = x < 0 ? reflected : result;
        result = size < NEGLIGIBLE ? -log_core(size) : result;
        result = pole | (size == INFINITY) ? (real)INFINITY : result;
        result = x == x ? result : x;
    }
    return result;
}
OVERLOAD real lgamma(real x) {
    int sign;
    return log_gamma(x, &sign);
}
OVERLOAD real lgamma_r(real x, private int *sign) { return log_gamma(x, sign); }

EACH_VECTOR(MAP_1, erf, real, real)
EACH_VECTOR(MAP_1, erfc, real, real)
EACH_VECTOR(MAP_1, tgamma, real, real)
EACH_VECTOR(MAP_1, lgamma, real, real)
EACH_VECTOR(MAP_OUT, lgamma_r, real, int, private)
EACH_OTHER_SPACE(MAP_OUT_SCALAR_AND_VECTORS, lgamma_r, real, int)
