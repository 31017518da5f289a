/* SPDX-License-Identifier: Apache-2.0 */
/* Cores of the math functions, written once for `real`: float, or double with -DREAL_IS_DOUBLE.
 * The type-dependent part (constants, polynomials, reduction of large angles) is in float.h and
 * double.h.
 *
 * No conversion to an integer sees a NaN (that would be poison): integers come out of floating
 * point by adding 1.5 * 2^fraction bits, which leaves them in the low bits.
 */
#ifndef RIVULET_LIBRARY_REAL_H
#define RIVULET_LIBRARY_REAL_H

#include "builtin.h"

/* c0 + c1 x + c2 x² …; the loop over constants unrolls. */
#define POLY(x, ...)                                                                               \
    ({                                                                                             \
        const real coefficients[] = {__VA_ARGS__};                                                 \
        polynomial(x, coefficients, (int)(sizeof(coefficients) / sizeof(real)));                   \
    })

#ifdef REAL_IS_DOUBLE
#define real double
#else
#define real float
#endif
INLINE real fused(real x, real y, real z) { return __builtin_elementwise_fma(x, y, z); }
INLINE real magnitude(real x) { return __builtin_elementwise_abs(x); }
INLINE real signed_as(real x, real y) { return __builtin_elementwise_copysign(x, y); }
INLINE real integral(real x) { return __builtin_elementwise_rint(x); } /* to nearest even */
INLINE real root(real x) { return __builtin_elementwise_sqrt(x); }
/* Long ones by pairs of coefficients: vectors are multiplied by, and added to, scalars as they are,
 * but a product is added to a vector only. */
INLINE real polynomial(real x, private const real *c, int count) {
    real p = c[count - 1];
    int i = count - 2;
    if (count < 5) {
        _Pragma("unroll") for (; i >= 0; --i) p = p * x + c[i];
        return p;
    }
    real square = x * x;
    if (count % 2 == 0)
        p = p * x + c[i--];
    _Pragma("unroll") for (; i > 0; i -= 2) p = fused(x, c[i], p * square) + c[i - 1];
    return p;
}
/* One value less is kept without the square: where a value takes eight registers, four fit. */
#define NARROW_POLY(x, ...)                                                                        \
    ({                                                                                             \
        const real coefficients[] = {__VA_ARGS__};                                                 \
        narrow_polynomial(x, coefficients, (int)(sizeof(coefficients) / sizeof(real)));            \
    })
INLINE real narrow_polynomial(real x, private const real *c, int count) {
    real p = c[count - 1];
    int i = count - 2;
    if (count % 2 == 0)
        p = p * x + c[i--];
    _Pragma("unroll") for (; i > 0; i -= 2) p = fused(x, c[i], p * x * x) + c[i - 1];
    return p;
}
#ifdef REAL_IS_DOUBLE
#include "double.h"
#else
#include "float.h"
#endif

#define AS_BITS(x) __builtin_astype(x, bits)
#define AS_REAL(b) __builtin_astype((bits)(b), real)
#define SIGN_BIT ((bits)1 << (8 * sizeof(bits) - 1))

/* Leaves k + 2 BIAS in the low bits: so `scaled` takes exponents, whatever is in the high ones. */
#define EXPONENT_ROUNDER ((real)ROUNDER + 2 * BIAS)

/* p * 2^k, rounded once, for p about 1 and k within twice the exponents' range. */
INLINE real scaled(real p, bits k) {
    bits first = k >> 1;
    bits second = k - first;
    return p * AS_REAL(first << FRACTION_BITS) * AS_REAL(second << FRACTION_BITS);
}

/* x, with the compiler told that the sign bit is clear, whatever it is computed from; used for
 * products without negative constants, whose signs LLVM moves elsewhere. */
INLINE real never_negative(real x) {
    __builtin_assume(AS_BITS(x) < SIGN_BIT);
    return x;
}

/* NaN passes through. */
INLINE real clamped(real x, real low, real high) {
    x = x > high ? high : x;
    return x < low ? low : x;
}

/* For large values, where NaN may be lost because the rest of the computation keeps it. */
INLINE real at_most(real x, real high) { return __builtin_elementwise_minnum(x, high); }

INLINE real with_sign_bit(real x, bool negative) {
    return AS_REAL(AS_BITS(x) ^ (negative ? SIGN_BIT : 0));
}

/* Not from low to high, which are positive; negative numbers and NaN are outside, too. One
 * comparison of integers. */
INLINE bool outside(real x, real low, real high) {
    return AS_BITS(x) - AS_BITS(low) > AS_BITS(high) - AS_BITS(low);
}

/* ---- exponentials: 2^k times a polynomial of the remainder ---- */

/* e^r on ±ln2/2 */
INLINE real exp_of_rest(real r) { return fused(r * r, exp_polynomial(r), r) + 1; }

/* e^x = result * 2^k, for x of moderate size */
INLINE real exp_parts(real x, bits *k) {
    real t = x * LOG2_E + EXPONENT_ROUNDER;
    real n = t - EXPONENT_ROUNDER;
    *k = AS_BITS(t);
    real r = fused(n, -LN_2_LOW, fused(n, -LN_2, x));
    return exp_of_rest(r);
}

/* 2^(high + low), low below an ulp of high */
INLINE real exp2_sum(real high, real low) {
    low = magnitude(high) < EXP2_LIMIT ? low : 0;
    high = clamped(high, -EXP2_LIMIT, EXP2_LIMIT);
    real t = high + EXPONENT_ROUNDER;
    real r = (high - (t - EXPONENT_ROUNDER)) + low;
    return never_negative(scaled(exp2_polynomial(r) * r + 1, AS_BITS(t)));
}

/* The same for results that are normal and not the largest; *extreme: others. */
INLINE real exp2_sum_normal(real high, real low, bool *extreme) {
    real t = high + ROUNDER;
    real r = (high - (t - ROUNDER)) + low;
    bits k = AS_BITS(t);
    *extreme = k - (AS_BITS((real)ROUNDER) - (BIAS - 2)) > 2 * (BIAS - 2);
    real p = fused(exp2_polynomial(r), r, 1);
    return AS_REAL(AS_BITS(p) + (k << FRACTION_BITS));
}

/* e^x - 1 for 0 <= x <= EXPM1_HIGH; loses nothing near 0 (but the sign of zero). */
INLINE real expm1_positive(real x) {
    real t = fused(x, LOG2_E, ROUNDER);
    real n = t - ROUNDER;
    real r = fused(n, -LN_2_LOW, fused(n, -LN_2, x));
    real p = fused(r * r, expm1_polynomial(r), r);
    /* half of 2^k, because the largest doesn't exist */
    real scale = AS_REAL(AS_BITS((real)0.5) + (AS_BITS(t) << FRACTION_BITS));
    return 2 * fused(scale, p, scale - (real)0.5);
}
INLINE real expm1_core(real x) { return expm1_positive(x < EXPM1_LOW ? EXPM1_LOW : x); }

/* ---- logarithms ---- */

/* x = m * 2^result with m from `low` to 2 low; x positive, denormals included. */
INLINE real split(real x, real low, real *m) {
    bool tiny = x < SMALLEST_NORMAL;
    const int up = FRACTION_BITS + 1;
    bits b = AS_BITS(tiny ? x * (real)(1ul << up) : x);
    sbits e = (sbits)(b - AS_BITS(low)) >> FRACTION_BITS;
    *m = AS_REAL(b - ((bits)e << FRACTION_BITS));
    return (real)e - (real)(tiny ? up : 0);
}

/* The same for any normal x that is positive. */
INLINE real split_normal(real x, real low, real *m) {
    sbits e = (sbits)(AS_BITS(x) - AS_BITS(low)) >> FRACTION_BITS;
    *m = AS_REAL(AS_BITS(x) - ((bits)e << FRACTION_BITS));
    return (real)e;
}

/* The results of all logarithms at the ends of their domain. */
INLINE real log_domain(real x, real result) {
    result = x <= LARGEST ? result : x; /* "< INFINITY" would become two comparisons */
    result = x < 0 ? (real)NAN : result;
    return x == 0 ? -(real)INFINITY : result;
}

/* The same for any x, for sums of a multiple of the exponent and finite terms: the ends of the
 * domain are special cases of the exponent, which nothing else has to preserve. */
INLINE real split_any(real x, real low, real *m) {
#ifdef REAL_IS_DOUBLE
    real e = split_normal(x, low, m);
    RARELY(outside(x, SMALLEST_NORMAL, LARGEST)) { e = log_domain(x, split(x, low, m)); }
    return e;
#else
    /* A branch in the middle of a kernel would cost its vectors more than this does. */
    return log_domain(x, split(x, low, m));
#endif
}

/* log(m 2^e) */
INLINE real log_of_parts(real m, real e) {
    return fused(e, LN_2, fused(e, LN_2_LOW, log1p_polynomial(m - 1)));
}
INLINE real log_of_normal(real x) {
    real m;
    real e = split_normal(x, (real)0.75, &m);
    return log_of_parts(m, e);
}
INLINE real log_core(real x) {
    real m;
    real e = split(x, (real)0.75, &m);
    return log_of_parts(m, e);
}

/* log(1 + x) for x > -1, below a quarter of the largest: 1 + x rounded gives the exponent, the
 * fraction is taken from x itself. */
INLINE real log1p_core(real x) {
    sbits e = (sbits)(AS_BITS(1 + x) - AS_BITS((real)0.75)) >> FRACTION_BITS;
    real scale = AS_REAL(AS_BITS((real)1) - ((bits)e << FRACTION_BITS));
    real p = log1p_polynomial(fused(x, scale, scale - 1));
    return fused((real)e, LN_2, fused((real)e, LN_2_LOW, p));
}

/* log2(x) = result + low, x positive, normal and finite; arbitrary for others. */
INLINE real log2_sum(real x, real *low) {
    real m;
    real e = split_normal(x, (real)0.70710678118654752, &m);
    /* s = (m - 1) / (m + 1) in two reals */
    real f = m - 1, d = m + 1;
    real d_low = m - (d - 1);
    real reciprocal = 1 / d;
    real s = f * reciprocal;
    real s_low = reciprocal * fused(-s, d_low, fused(-s, d, f));
    real p_low;
    real p = atanh_sum(s, s_low, &p_low);
    real sum = e + p;
    real rest = (p - (sum - e)) + p_low;
    real high = sum + rest;
    *low = rest - (high - sum);
    return high;
}

/* The same for any finite x that is positive. */
INLINE real log2_sum_of_tiny(real x, real *low) {
    bool tiny = x < SMALLEST_NORMAL;
    const int up = FRACTION_BITS + 1;
    real high = log2_sum(tiny ? x * (real)(1ul << up) : x, low);
    real sum = high - (tiny ? up : 0);
    *low += (high - sum) - (tiny ? up : 0);
    return sum;
}

/* ---- circular functions ---- */

INLINE real sin_core(real r) { return r * sin_polynomial(r * r); }

/* x - n π */
INLINE real less_half_turns(real x, real n) {
    return fused(n, -PI_3, fused(n, -PI_2, fused(n, -PI_1, x)));
}

/* sin(x + shift π), shift 0 or ½. */
INLINE real sin_shifted(real x, real shift) {
    real quotient = x * INVERSE_PI;
    real t = (shift == 0 ? quotient : quotient + shift) + ROUNDER;
    real n = t - ROUNDER;
    uint half_turns = (uint)AS_BITS(t);
    /* Odd ones turn the sign, of the angle already: less is kept. */
    real r = with_sign_bit(less_half_turns(x, shift == 0 ? n : n - shift), half_turns & 1);
    if (__builtin_expect(magnitude(x) >= LARGE_ANGLE, 0)) {
        const bits quarter_turn = SIGN_BIT >> 1;
        r = reduce_large(x, shift == 0 ? 0 : quarter_turn, 1, &half_turns);
        r = with_sign_bit(r, (half_turns & 1) ^ ((shift == 0) & (x < 0)));
        r = magnitude(x) < INFINITY ? r : (real)NAN;
    }
    return sin_core(r);
}

/* x = n π/2 + r, |r| <= π/4: sin(r) and cos(r) */
INLINE real sin_and_cos(real x, real *cosine, uint *n) {
    real t = fused(x, 2 * INVERSE_PI, ROUNDER);
    real quarters = t - ROUNDER;
    real r = less_half_turns(x, (real)0.5 * quarters);
    *n = (uint)AS_BITS(t);
    if (__builtin_expect(magnitude(x) >= LARGE_ANGLE, 0)) {
        r = with_sign_bit(reduce_large(x, 0, 2, n), x < 0);
        *n = x < 0 ? -*n : *n;
        r = magnitude(x) < INFINITY ? r : (real)NAN;
    }
    *cosine = cos_quarter_polynomial(r * r);
    return r * sin_quarter_polynomial(r * r);
}

/* Exactly x modulo 2, in [-1, 1]. */
INLINE real modulo_2(real x) { return fused(-2, integral((real)0.5 * x), x); }

/* sin(π x), zeros at integers without a sign to rely on. */
INLINE real sin_of_half_turns(real x) {
    real y = modulo_2(x);
    real n = integral(y);
    return with_sign_bit(sin_core((y - n) * PI_HIGH), n != 0);
}

#endif
