/* SPDX-License-Identifier: Apache-2.0 */
/* Cores of the float functions: argument reductions and polynomials. The polynomials are minimax
 * (Sollya's fpminimax with 24-bit coefficients); the relative error stands beside each.
 *
 * No conversion to int sees a NaN (that would be poison): integers come out of floats by adding
 * 1.5 * 2^23, which leaves them in the low bits.
 */
#ifndef RIVULET_LIBRARY_FLOAT_H
#define RIVULET_LIBRARY_FLOAT_H

#include "builtin.h"

#define fused __builtin_elementwise_fma
#define magnitude __builtin_elementwise_abs
#define signed_as __builtin_elementwise_copysign
#define integral __builtin_elementwise_rint
#define root __builtin_elementwise_sqrt
#define ROUNDER 0x1.8p23f

/* c0 + c1 x + c2 x² … */
INLINE float poly3(float x, float c0, float c1, float c2, float c3) {
    return fused(fused(fused(c3, x, c2), x, c1), x, c0);
}
INLINE float poly4(float x, float c0, float c1, float c2, float c3, float c4) {
    return fused(poly3(x, c1, c2, c3, c4), x, c0);
}
INLINE float poly5(float x, float c0, float c1, float c2, float c3, float c4, float c5) {
    return fused(poly4(x, c1, c2, c3, c4, c5), x, c0);
}
INLINE float poly7(float x, float c0, float c1, float c2, float c3, float c4, float c5, float c6,
                   float c7) {
    return fused(fused(poly5(x, c2, c3, c4, c5, c6, c7), x, c1), x, c0);
}

/* p * 2^k, rounded once, for -252 <= k <= 254 and p about 1. */
INLINE float scaled(float p, int k) {
    int first = k >> 1;
    return p * as_float((first + 127) << 23) * as_float((k - first + 127) << 23);
}

/* NaN passes through. */
INLINE float clamped(float x, float low, float high) {
    x = x > high ? high : x;
    return x < low ? low : x;
}

/* ---- exponentials: 2^quotient times a polynomial of the remainder ---- */

#define EXP2_POLYNOMIAL(r) /* 2^r on [-½, ½]: 2^-28 */                                             \
    fused(poly5(r, 0x1.62e43p-1f, 0x1.ebfbd8p-3f, 0x1.c6af74p-5f, 0x1.3b3096p-7f, 0x1.5f0ca8p-10f, \
                0x1.3fad5ep-13f),                                                                  \
          r, 1.0f)

/* e^x = result * 2^k, for |x| < 2^20 */
INLINE float exp_parts(float x, int *k) {
    float t = fused(x, 0x1.715476p0f, ROUNDER);
    float n = t - ROUNDER;
    *k = as_int(t) - as_int(ROUNDER);
    float r = fused(n, 0x1.05c61p-29f, fused(n, -0x1.62e43p-1f, x));
    /* e^r on ±ln2/2: 2^-28 */
    float p = poly4(r, 0x1.fffffap-2f, 0x1.555492p-3f, 0x1.555a26p-5f, 0x1.123988p-7f,
                    0x1.694cd4p-10f);
    return fused(fused(p, r, 1.0f), r, 1.0f);
}

/* 2^(high + low), low below an ulp of high */
INLINE float exp2_sum(float high, float low) {
    low = magnitude(high) < 300.0f ? low : 0.0f;
    high = clamped(high, -200.0f, 200.0f);
    float t = high + ROUNDER;
    float r = (high - (t - ROUNDER)) + low;
    return scaled(EXP2_POLYNOMIAL(r), as_int(t) - as_int(ROUNDER));
}

/* e^x - 1 for x <= 88.8; loses nothing near 0 (but the sign of zero). */
INLINE float expm1_core(float x) {
    x = x < -18.0f ? -18.0f : x;
    float t = fused(x, 0x1.715476p0f, ROUNDER);
    float n = t - ROUNDER;
    float r = fused(n, 0x1.05c61p-29f, fused(n, -0x1.62e43p-1f, x));
    /* (e^r - 1) / r on ±ln2/2: 2^-26 */
    float p = poly4(r, 0x1.fffffep-2f, 0x1.5554bp-3f, 0x1.555716p-5f, 0x1.12279ep-7f,
                    0x1.6b7376p-10f);
    p = fused(r * r, p, r);
    float half_scale = as_float(as_int(0.5f) + (as_int(t) << 23)); /* 2^128 doesn't exist */
    return 2.0f * fused(half_scale, p, half_scale - 0.5f);
}

/* ---- logarithms ---- */

/* log(1 + f) / f on [-¼, ½]: 2^-27.6 */
INLINE float log1p_polynomial(float f) {
    float q = poly7(f, 0x1.5555a4p-2f, -0x1.000042p-2f, 0x1.996966p-3f, -0x1.54ef16p-3f,
                    0x1.2886bap-3f, -0x1.0d93fcp-3f, 0x1.aca096p-4f, -0x1.713e14p-5f);
    return fused(fused(q, f, -0.5f), f * f, f);
}

/* x = m * 2^result with m from `low` (its bits) to 2 low; x positive, denormals included. */
INLINE float split(float x, int low, float *m) {
    bool tiny = x < 0x1p-126f;
    int bits = as_int(tiny ? x * 0x1p24f : x);
    int e = (bits - low) >> 23;
    *m = as_float(bits - (e << 23));
    return (float)e - (tiny ? 24.0f : 0.0f);
}

/* The results of every logarithm at the ends of its domain. */
INLINE float log_domain(float x, float result) {
    result = x < INFINITY ? result : x;
    result = x < 0.0f ? NAN : result;
    return x == 0.0f ? -INFINITY : result;
}

INLINE float log_core(float x) {
    float m;
    float e = split(x, 0x3f400000, &m);
    float p = log1p_polynomial(m - 1.0f);
    return fused(e, 0x1.62e43p-1f, fused(e, -0x1.05c61p-29f, p));
}

/* log(1 + x) for x > -1: 1 + x rounded gives the exponent, the fraction is taken from x itself. */
INLINE float log1p_core(float x) {
    int e = (as_int(1.0f + x) - 0x3f400000) >> 23;
    float scale = 0.25f * as_float((129 - e) << 23); /* down to 2^-128 */
    float p = log1p_polynomial(fused(x, scale, scale - 1.0f));
    return fused((float)e, 0x1.62e43p-1f, fused((float)e, -0x1.05c61p-29f, p));
}

/* log2(x) = high + low to 2^-30, x positive and finite. */
INLINE float log2_sum(float x, float *low) {
    float m;
    float e = split(x, 0x3f3504f3, &m);
    /* log2(m) = 2 atanh(s) / ln2 with s = (m - 1) / (m + 1) in two floats */
    float f = m - 1.0f, d = m + 1.0f;
    float d_low = m - (d - 1.0f);
    float reciprocal = 1.0f / d;
    float s = f * reciprocal;
    float s_low = reciprocal * fused(-s, d_low, fused(-s, d, f));
    float z = s * s; /* on [0, 0.0295]: 2^-30 */
    float q = z * fused(fused(z, 0x1.b964b6p-2f, 0x1.274bd4p-1f), z, 0x1.ec70d4p-1f);
    float p = s * 0x1.715476p1f;
    float p_low = fused(s, 0x1.715476p1f, -p) +
                  fused(s, 0x1.4ae0cp-25f, fused(s_low, 0x1.715476p1f, s * q));
    float sum = e + p;
    float rest = (p - (sum - e)) + p_low;
    float high = sum + rest;
    *low = rest - (high - sum);
    return high;
}

/* ---- circular functions ---- */

/* sin(r) on ±π/2: 2^-27 */
INLINE float sin_core(float r) {
    return r * poly4(r * r, 1.0f, -0x1.55554cp-3f, 0x1.110edap-7f, -0x1.9f70e8p-13f,
                     0x1.5dc80cp-19f);
}
/* The same on ±π/4, and cos(r) there. */
INLINE float sin_quarter(float r) {
    return r * poly3(r * r, 1.0f, -0x1.555546p-3f, 0x1.110776p-7f, -0x1.9952c6p-13f);
}
INLINE float cos_quarter(float r) {
    return poly4(r * r, 1.0f, -0.5f, 0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e81p-16f);
}

/* Up to here quotients by π are integers that three floats' worth of π reduce without loss. */
#define LARGE_ANGLE 0x1p16f
#define PI_HIGH 0x1.921fb6p1f
#define PI_MIDDLE -0x1.777a5cp-24f
#define PI_LOW -0x1.ee59dap-49f

/* |x| / 2π modulo 1 as a fraction of 2^64, 2^16 <= |x| < infinity (Payne and Hanek): 96 bits of
 * 1/2π, from where they matter for the exponent of x, times the 24 bits of x. */
INLINE ulong turns_of_large(float x) {
    uint bits = as_uint(x) & 0x7fffffff;
    uint offset = (bits >> 23) - 142; /* the first word begins with 8 zero bits */
    ulong mantissa = (bits & 0x7fffff) | 0x800000;
    uint a0 = offset & 32 ? 0xdb939105 : 0x0028be60, a1 = offset & 32 ? 0x4a7f09d5 : 0xdb939105;
    uint a2 = offset & 32 ? 0xf47d4d37 : 0x4a7f09d5, a3 = offset & 32 ? 0x7036d8a5 : 0xf47d4d37;
    uint a4 = offset & 32 ? 0x664f10e4 : 0x7036d8a5, a5 = offset & 32 ? 0x107f9458 : 0x664f10e4;
    uint b0 = offset & 64 ? a2 : a0, b1 = offset & 64 ? a3 : a1;
    uint b2 = offset & 64 ? a4 : a2, b3 = offset & 64 ? a5 : a3;
    ulong w0 = __builtin_elementwise_fshl(b0, b1, offset);
    ulong w1 = __builtin_elementwise_fshl(b1, b2, offset);
    ulong w2 = __builtin_elementwise_fshl(b2, b3, offset);
    return (mantissa * w0 << 32) + mantissa * w1 + (mantissa * w2 >> 32);
}

/* A signed fraction of 2^64 as a float, times `unit` (two floats); exact to the last bit near 0. */
INLINE float of_fraction(long fraction, float unit, float unit_low) {
    ulong size = (ulong)(fraction < 0 ? -fraction : fraction);
    float top = (float)(uint)(size >> 40), rest = (float)(uint)(size >> 8 & 0xffffffff);
    top *= 0x1p-24f;
    rest *= 0x1p-56f;
    float result = fused(top, unit, fused(top, unit_low, rest * unit));
    return fraction < 0 ? -result : result;
}

/* sin(x + shift π), shift 0 or ½. */
INLINE float sin_shifted(float x, float shift) {
    float t = fused(x, 0x1.45f306p-2f, shift) + ROUNDER;
    float n = t - ROUNDER - shift;
    float r = fused(-n, PI_LOW, fused(-n, PI_MIDDLE, fused(-n, PI_HIGH, x)));
    uint odd = as_uint(t) << 31;
    if (__builtin_expect(magnitude(x) >= LARGE_ANGLE, 0)) {
        ulong turns = turns_of_large(x);
        turns = (x < 0.0f ? -turns : turns) + (shift == 0.0f ? 0 : 1ul << 62);
        odd = (uint)((turns + (1ul << 62)) >> 32) & 0x80000000;
        r = of_fraction((long)(turns << 1), PI_HIGH, PI_MIDDLE);
        r = magnitude(x) < INFINITY ? r : NAN;
    }
    return as_float(as_uint(sin_core(r)) ^ odd);
}

/* x = n π/2 + result with |result| <= π/4 */
INLINE float reduce_quarter(float x, uint *n) {
    float t = fused(x, 0x1.45f306p-1f, ROUNDER);
    float quarters = t - ROUNDER;
    float r = fused(-quarters, 0.5f * PI_HIGH, x);
    r = fused(-quarters, 0.5f * PI_LOW, fused(-quarters, 0.5f * PI_MIDDLE, r));
    *n = as_uint(t);
    if (__builtin_expect(magnitude(x) >= LARGE_ANGLE, 0)) {
        ulong turns = turns_of_large(x);
        turns = x < 0.0f ? -turns : turns;
        *n = (uint)((turns + (1ul << 61)) >> 62);
        r = of_fraction((long)(turns << 2), 0.5f * PI_HIGH, 0.5f * PI_MIDDLE);
        r = magnitude(x) < INFINITY ? r : NAN;
    }
    return r;
}

#endif
