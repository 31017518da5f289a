/* SPDX-License-Identifier: Apache-2.0 */
/* The facts about float that real.h needs: constants and polynomials. The polynomials are minimax
 * (Sollya's fpminimax with coefficients of the type); the relative error is noted next to each.
 */
#ifndef RIVULET_LIBRARY_FLOAT_H
#define RIVULET_LIBRARY_FLOAT_H

#include "builtin.h"

#define real float
#define bits uint
#define sbits int
#define FRACTION_BITS 23
#define BIAS 127
#define ROUNDER 0x1.8p23f
#define SMALLEST_NORMAL 0x1p-126f
#define LARGEST 0x1.fffffep127f
#define NEGLIGIBLE 0x1p-30f /* x³ relative to x */
#define LARGE 0x1p30f       /* where 1 + x² is x² */

/* Arguments of exponentials are clamped to where the result is 0 or infinite for sure. */
#define EXP_LOW -105.0f
#define EXP_HIGH 90.0f
#define EXP10_LOW -46.0f
#define EXP10_HIGH 39.0f
#define EXP2_LIMIT 200.0f
#define EXPM1_LOW -18.0f
#define EXPM1_HIGH 88.9f
#define TANH_HIGH 10.0f

#define LOG2_E 0x1.715476p0f
#define LOG2_E_LOW 0x1.4ae0cp-26f
/* The low parts of logarithms of 2 have the sign of the high ones: infinity times both is one. */
#define LN_2 0x1.62e42ep-1f
#define LN_2_LOW 0x1.efa39ep-25f
#define LOG2_10 0x1.a934fp1f
#define LOG10_2 0x1.344134p-2f
#define LOG10_2_LOW 0x1.09f7ap-26f
#define PI_HIGH 0x1.921fb6p1f
#define PI_MIDDLE -0x1.777a5cp-24f
/* In parts of one sign: what n times them is taken from keeps the sign of -0. */
#define PI_1 0x1.921fb4p1f
#define PI_2 0x1.4442dp-23f
#define PI_3 0x1.84698ap-47f
#define INVERSE_PI 0x1.45f306p-2f

/* e^r = 1 + r + r² result on ±ln2/2: 2^-28 */
INLINE real exp_polynomial(real r) {
    return POLY(r, 0x1.fffffap-2f, 0x1.555492p-3f, 0x1.555a26p-5f, 0x1.123988p-7f, 0x1.694cd4p-10f);
}
/* e^r - 1 on ±ln2, e^r within 2^-26 */
INLINE real expm1_of_wide_rest(real r) {
    real p = NARROW_POLY(r, 0x1.00000cp-1f, 0x1.55551p-3f, 0x1.5549d8p-5f, 0x1.1127ccp-7f,
                         0x1.71c64ap-10f, 0x1.9b7d3ep-13f);
    return fused(p * r, r, r);
}
/* e^r - 1 = r + r² result, relatively: 2^-26 */
INLINE real expm1_polynomial(real r) {
    return POLY(r, 0x1.fffffep-2f, 0x1.5554bp-3f, 0x1.555716p-5f, 0x1.12279ep-7f, 0x1.6b7376p-10f);
}
/* 2^r = 1 + r result on ±½: 2^-28 */
INLINE real exp2_polynomial(real r) {
    return POLY(r, 0x1.62e43p-1f, 0x1.ebfbd8p-3f, 0x1.c6af74p-5f, 0x1.3b3096p-7f, 0x1.5f0ca8p-10f,
                0x1.3fad5ep-13f);
}
/* 10^r = 1 + r result on ±log10(2)/2: 2^-28 */
INLINE real exp10_polynomial(real r) {
    return POLY(r, 0x1.26bb1cp1f, 0x1.535248p1f, 0x1.046f9ap1f, 0x1.2bdbdap0f, 0x1.156bbcp-1f,
                0x1.a4985p-3f);
}

/* log(1 + f) on [-¼, ½]: 2^-27.6 */
INLINE real log1p_polynomial(real f) {
    real q = POLY(f, 0x1.5555a4p-2f, -0x1.000042p-2f, 0x1.996966p-3f, -0x1.54ef16p-3f,
                  0x1.2886bap-3f, -0x1.0d93fcp-3f, 0x1.aca096p-4f, -0x1.713e14p-5f);
    return fused(q * f - 0.5f, f * f, f);
}
/* log2(1 + f) on [√½ - 1, √2 - 1]: 2^-27.6 */
#define LOG2_POLYNOMIAL(f)                                                                         \
    POLY(f, 0x1.4ae0cp-26f, -0x1.71547p-1f, 0x1.ec7094p-2f, -0x1.715acap-2f, 0x1.277ef8p-2f,       \
         -0x1.eab1p-3f, 0x1.a2e548p-3f, -0x1.877e78p-3f, 0x1.7e193ap-3f, -0x1.c3715cp-4f)
/* log10(1 + f), the same: 2^-27.7 */
#define LOG10_POLYNOMIAL(f)                                                                        \
    POLY(f, -0x1.5b235ep-27f, -0x1.bcb7aap-3f, 0x1.287a72p-3f, -0x1.bcbf2cp-4f, 0x1.63cf3cp-4f,    \
         -0x1.276f02p-4f, 0x1.f883e6p-5f, -0x1.d7682ep-5f, 0x1.cb6e48p-5f, -0x1.0effb6p-5f)

/* log2(m) = 2 atanh(s) / ln2 = s (C1 + s² (C3 + …)), s² <= 0.0295: 2^-30, as two floats */
INLINE real atanh_sum(real s, real s_low, real *low) {
    real z = s * s;
    real q = z * POLY(z, 0x1.ec70d4p-1f, 0x1.274bd4p-1f, 0x1.b964b6p-2f);
    real p = s * 0x1.715476p1f;
    *low =
        fused(s, 0x1.715476p1f, -p) + fused(s, 0x1.4ae0cp-25f, fused(s_low, 0x1.715476p1f, s * q));
    return p;
}

/* sin(r) = r result(r²) on ±π/2: 2^-27 */
INLINE real sin_polynomial(real z) {
    return NARROW_POLY(z, 1.0f, -0x1.55554cp-3f, 0x1.110edap-7f, -0x1.9f70e8p-13f, 0x1.5dc80cp-19f);
}
/* The same on ±π/4, and cos(r) there. */
INLINE real sin_quarter_polynomial(real z) {
    return POLY(z, 1.0f, -0x1.555546p-3f, 0x1.110776p-7f, -0x1.9952c6p-13f);
}
INLINE real cos_quarter_polynomial(real z) {
    return POLY(z, 1.0f, -0.5f, 0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e81p-16f);
}

/* Up to here quotients by π are integers that three reals' worth of π reduce without loss. */
#define LARGE_ANGLE 0x1p16f

OVERLOAD uint mul_hi(uint x, uint y);

/* |x| / 2π modulo 1 as a fraction of 2^64, LARGE_ANGLE <= |x| < infinity (Payne and Hanek): 96
 * bits of 1/2π, from where they matter for the exponent of x, times the 24 bits of x. Then the
 * whole `units` of a turn (2 or 4; x and `plus` turns of 2^32 together) go to *n, the rest, at most
 * half a unit, is the result as an angle. */
INLINE real reduce_large(real x, uint plus, int units_log2, uint *n) {
    uint offset = (as_uint(x) >> 23 & 255) - 142; /* the first word begins with 8 zero bits */
    uint mantissa = (as_uint(x) & 0x7fffff) | 0x800000;
    uint a0 = offset & 32 ? 0xdb939105 : 0x0028be60, a1 = offset & 32 ? 0x4a7f09d5 : 0xdb939105;
    uint a2 = offset & 32 ? 0xf47d4d37 : 0x4a7f09d5, a3 = offset & 32 ? 0x7036d8a5 : 0xf47d4d37;
    uint a4 = offset & 32 ? 0x664f10e4 : 0x7036d8a5, a5 = offset & 32 ? 0x107f9458 : 0x664f10e4;
    uint b0 = offset & 64 ? a2 : a0, b1 = offset & 64 ? a3 : a1;
    uint b2 = offset & 64 ? a4 : a2, b3 = offset & 64 ? a5 : a3;
    uint w0 = __builtin_elementwise_fshl(b0, b1, offset);
    uint w1 = __builtin_elementwise_fshl(b1, b2, offset);
    uint w2 = __builtin_elementwise_fshl(b2, b3, offset);
    uint middle = mantissa * w1;
    uint low = middle + mul_hi(mantissa, w2);
    uint turns = mantissa * w0 + mul_hi(mantissa, w1) + (low < middle);
    turns += plus;

    *n = (turns + (1u << (31 - units_log2))) >> (32 - units_log2);
    uint rest = turns << units_log2 | low >> (32 - units_log2);
    low <<= units_log2;
    bool negative = (int)rest < 0;
    rest = negative ? ~rest + (low == 0) : rest;
    low = negative ? -low : low;
    real unit = units_log2 == 1 ? PI_HIGH : PI_HIGH / 2;
    real unit_low = units_log2 == 1 ? PI_MIDDLE : PI_MIDDLE / 2;
    real top = (real)(rest >> 8) * 0x1p-24f;
    real tail = (real)(rest << 24 | low >> 8) * 0x1p-56f;
    real angle = fused(top, unit, fused(top, unit_low, tail * unit));
    return negative ? -angle : angle;
}

/* asin(s) = s + s z result(z), z = s² <= ¼: 2^-27.6 */
INLINE real asin_polynomial(real z) {
    return NARROW_POLY(z, 0x1.5555c8p-3f, 0x1.330206p-4f, 0x1.747b72p-5f, 0x1.8c415ap-6f,
                       0x1.5959aap-5f);
}
/* atan(smaller / larger), 0 where both are 0: 2^-25.8. Unless `any`, smaller is at most 1 and
 * larger at least that. */
INLINE real atan_of_ratio(real smaller, real larger, bool any) {
    real t = smaller / larger;
    if (any) {
        t = larger == 0.0f ? 0.0f : t;
        t = smaller == INFINITY ? 1.0f : t;
    }
    real z = t * t;
    const real c[] = {-0x1.5554dcp-2f, 0x1.9978eep-3f, -0x1.230abp-3f,  0x1.b4dfdcp-4f,
                      -0x1.3553f4p-4f, 0x1.61f756p-5f, -0x1.0c23fep-6f, 0x1.7ec1c4p-9f};
    /* Without special cases, all values fit into registers if the square of z isn't kept. */
    real q = any ? polynomial(z, c, 8) : narrow_polynomial(z, c, 8);
    return fused(t * z, q, t);
}
/* x^-⅓ to begin with, and how often it is refined */
#define CBRT_START(size) as_float(0x54a1e91c - as_uint(size) / 3)
#define CBRT_STEPS 1
/* Thresholds and factors for scaling the squares. */
#define HYPOT_HIGH 0x1p60f
#define HYPOT_DOWN 0x1p-70f
#define HYPOT_LOW 0x1p-50f
#define HYPOT_UP 0x1p90f

/* erf(x) = x result(x²) up to ERF_SMALL: 2^-24 */
#define ERF_SMALL 0.92f
INLINE real erf_polynomial(real z) {
    return POLY(z, 0x1.20dd74p0f, -0x1.8126a4p-2f, 0x1.ce13e2p-4f, -0x1.b6466cp-6f, 0x1.45fc38p-8f,
                -0x1.35df3ep-11f);
}
/* erf(x) from ERF_SMALL on: 1 - erfc(x) with log2 erfc(x) as a polynomial, x <= 4, where that is 1:
 * 2^-29 */
INLINE real erf_of_large(real size) {
    real x = __builtin_elementwise_minnum(size, 4.0f);
    real log = POLY(x, -0x1.0c8216p-12f, -0x1.a082fcp0f, -0x1.d6921p-1f, -0x1.33646ep-3f,
                    0x1.0747fcp-5f, -0x1.20e5b8p-8f, 0x1.2a4746p-12f);
    real t = log + ROUNDER;
    real r = log - (t - ROUNDER);
    return 1.0f - as_float(as_uint(fused(exp2_polynomial(r), r, 1.0f)) + (as_uint(t) << 23));
}
/* e^a² erfc(a), 0 <= a <= ERFC_HIGH: 2^-24.5 */
#define ERFC_HIGH 10.5f
INLINE real erfcx_polynomial(real a) {
    real t = (a - 2.0f) / (a + 2.0f);
    return POLY(t, 0x1.058672p-2f, -0x1.b5703cp-2f, 0x1.eeea5ep-3f, -0x1.437c2cp-4f, 0x1.e98c7cp-9f,
                0x1.c94ecap-8f, -0x1.c07e4cp-11f, -0x1.e5d352p-11f, 0x1.0d976ep-14f,
                0x1.c4bf4p-14f);
}

/* Γ above GAMMA_SHIFT by Stirling's formula, below by Γ(a + GAMMA_SHIFT) */
#define GAMMA_SHIFT 6
#define GAMMA_HIGH 48.0f
#define GAMMA_NORMAL 34.0f /* Γ is normal from 0 to here */
/* Γ(y) by Stirling's formula is as much too small without this: 2^-30 */
INLINE real stirling_factor(real y) {
    return POLY(1.0f / y, 1.0f, 0x1.555556p-4f, 0x1.c70fb2p-9f, -0x1.61876ep-9f);
}
/* a (a+1) … (a+5), taken in pairs */
INLINE real rising_product(real a) {
    real pair = fused(a, a, 5.0f * a);
    return pair * (pair + 4.0f) * (pair + 6.0f);
}
/* 1/12y - 1/360y³ + … */
INLINE real stirling_series(real y) {
    real inverse = 1.0f / y;
    return inverse * POLY(inverse * inverse, 0x1.555556p-4f, -0x1.6c16c2p-9f, 0x1.a01a02p-11f);
}
#define LOG_GAMMA_SHIFT 0 /* the series suffices from 4.5 on: 2^-26 */
#define ROOT_2_PI 0x1.40d932p1f
#define STIRLING_CONSTANT 0x1.acfe3ap-2f /* log(2π)/2 - ½ */
/* log Γ(b) / (b-1)(b-2) on [0.8, 2.5] about 1.65: 2^-22.5 */
INLINE real log_gamma_polynomial(real t) {
    return POLY(t, 0x1.d9a766p-2f, -0x1.082ebp-3f, 0x1.a03aacp-5f, -0x1.791586p-6f, 0x1.7026bcp-7f,
                -0x1.80f17p-8f, 0x1.957076p-9f, -0x1.40a942p-10f, 0x1.58b6ecp-11f, -0x1.fa4ba4p-11f,
                0x1.1c0b96p-11f);
}

#endif
