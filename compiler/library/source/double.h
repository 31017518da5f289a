/* SPDX-License-Identifier: Apache-2.0 */
/* The facts about double that real.h needs: float.h's names with double's constants. */
#ifndef RIVULET_LIBRARY_DOUBLE_H
#define RIVULET_LIBRARY_DOUBLE_H

#include "builtin.h"

#define real double
#define bits ulong
#define sbits long
#define FRACTION_BITS 52
#define BIAS 1023
#define ROUNDER 0x1.8p52
#define SMALLEST_NORMAL 0x1p-1022
#define LARGEST 0x1.fffffffffffffp1023
#define NEGLIGIBLE 0x1p-60 /* x³ relative to x */
#define LARGE 0x1p400      /* where 1 + x² is x² */

/* Arguments of exponentials are clamped to where the result is 0 or infinite for sure. */
#define EXP_LOW -746.0
#define EXP_HIGH 710.0
#define EXP10_LOW -325.0
#define EXP10_HIGH 309.0
#define EXP2_LIMIT 1200.0
#define EXPM1_LOW -40.0
#define EXPM1_HIGH 709.9
#define TANH_HIGH 22.0

#define LOG2_E 0x1.71547652b82fep0
#define LOG2_E_LOW 0x1.777d0ffda0d24p-56
#define LN_2 0x1.62e42fefa39efp-1
#define LN_2_LOW 0x1.abc9e3b39803fp-56
#define LOG2_10 0x1.a934f0979a371p1
#define LOG10_2 0x1.34413509f79fep-2
#define LOG10_2_LOW 0x1.e623e2566b02ep-55
#define LOG10_E 0x1.bcb7b1526e50ep-2
#define LOG10_E_LOW 0x1.95355baaafad3p-57
#define PI_HIGH 0x1.921fb54442d18p1
#define PI_MIDDLE 0x1.1a62633145c07p-53
#define PI_1 0x1.921fb54442d18p1
#define PI_2 0x1.1a62633145c06p-53
#define PI_3 0x1.c1cd129024e09p-106
#define INVERSE_PI 0x1.45f306dc9c883p-2

/* e^r = 1 + r + r² result on ±ln2/2: 2^-58 */
INLINE real exp_polynomial(real r) {
    return POLY(r, 0x1.000000000000ap-1, 0x1.55555555554fep-3, 0x1.55555555506acp-5,
                0x1.1111111126b2ep-7, 0x1.6c16c1847c94ap-10, 0x1.a01a012ffa329p-13,
                0x1.a019994c13178p-16, 0x1.71df18b9a0df3p-19, 0x1.28ae10fc979b5p-22,
                0x1.ad93720b9f81fp-26);
}
/* e^r - 1 on ±ln2, e^r within 2^-56 */
INLINE real expm1_of_wide_rest(real r) {
    real p = POLY(r, 0x1.ffffffffffff3p-2, 0x1.55555555555bap-3, 0x1.5555555556972p-5,
                  0x1.1111111107ep-7, 0x1.6c16c169bb1acp-10, 0x1.a01a01b2b136cp-13,
                  0x1.a01a05892e228p-16, 0x1.71de29a227facp-19, 0x1.27e1c5ad69071p-22,
                  0x1.ae71743fb93bp-26, 0x1.217c734c1f888p-29, 0x1.5e5da01f5bb87p-33);
    return fused(r * r, p, r);
}
/* e^r - 1 = r + r² result, relatively: 2^-61 */
INLINE real expm1_polynomial(real r) {
    return POLY(r, 0x1p-1, 0x1.5555555555559p-3, 0x1.555555555554dp-5, 0x1.111111110f655p-7,
                0x1.6c16c16c1aafep-10, 0x1.a01a01b0036dap-13, 0x1.a01a018e0f1d8p-16,
                0x1.71ddf80f8671p-19, 0x1.27e5133987e42p-22, 0x1.af5f2c470a40fp-26,
                0x1.1f1a36b173297p-29);
}
/* 2^r = 1 + r result on ±½: 2^-57 */
INLINE real exp2_polynomial(real r) {
    return POLY(r, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c5a6p-3, 0x1.c6b08d704a12cp-5,
                0x1.3b2ab6fb9fd9dp-7, 0x1.5d87fe789e99p-10, 0x1.4309130f6fc36p-13,
                0x1.ffcbfc667752fp-17, 0x1.62bfc64f78edcp-20, 0x1.b52522db2536dp-24,
                0x1.e61d57b36be8ap-28, 0x1.e972f12c4fed4p-32);
}
/* 10^r = 1 + r result on ±log10(2)/2: 2^-57 */
INLINE real exp10_polynomial(real r) {
    return POLY(r, 0x1.26bb1bbb55516p1, 0x1.53524c73cea76p1, 0x1.0470591de2b43p1,
                0x1.2bd7609fd5312p0, 0x1.1429ffd2216d5p-1, 0x1.a7ed70a108e89p-3,
                0x1.16e4dee47c5e3p-4, 0x1.41165fa6161e3p-6, 0x1.4899f5cfd9f2cp-8,
                0x1.2f7315760c984p-10, 0x1.f73b5e74e53d8p-13);
}

/* log(1 + f) on [-¼, ½] by 2 atanh(s), s = f / (2 + f): 2^-62 */
INLINE real log1p_polynomial(real f) {
    real s = f / (2.0 + f);
    real z = s * s;
    real q = z * NARROW_POLY(z, 0x1.555555555554fp-1, 0x1.999999999c17cp-2, 0x1.24924921e40f7p-2,
                             0x1.c71c74900282dp-3, 0x1.745c4ac9320c3p-3, 0x1.3b35c37e48be7p-3,
                             0x1.0dcb62a6ed24fp-3, 0x1.1b831273fe30dp-3);
    real half_square = 0.5 * f * f;
    return f - (half_square - s * (half_square + q));
}

/* log2(m) = 2 atanh(s) / ln2 = s (C1 + s² (C3 + …)), s² <= 0.0295: 2^-66, as two doubles all the
 * way, because pow multiplies by up to 1024 */
INLINE real atanh_sum(real s, real s_low, real *low) {
    real z = s * s;
    real z_low = fused(2.0 * s, s_low, fused(s, s, -z));
    real tail = z * POLY(z, 0x1.2776c50ef9d27p-1, 0x1.a61762a758bfdp-2, 0x1.484b14222c7bap-2,
                         0x1.0c9a63a11244p-2, 0x1.c69fa07ed6e76p-3, 0x1.87aecf3576d21p-3,
                         0x1.85fbf92c3f08ap-3);
    real third = 0x1.ec709dc3a03fdp-1 + tail;
    real third_low = (0x1.ec709dc3a03fdp-1 - third) + tail + 0x1.d27f05548af0cp-55;
    real q = z * third;
    real q_low = fused(z, third, -q) + fused(z, third_low, z_low * third);
    real factor = 0x1.71547652b82fep1 + q;
    real factor_low = (0x1.71547652b82fep1 - factor) + q + (q_low + 0x1.777d0ffda0d24p-55);
    real p = s * factor;
    *low = fused(s, factor, -p) + fused(s, factor_low, s_low * factor);
    return p;
}

/* sin(r) = r result(r²) on ±π/2: 2^-61 */
INLINE real sin_polynomial(real z) {
    return POLY(z, 1.0, -0x1.5555555555555p-3, 0x1.11111111110c8p-7, -0x1.a01a01a014d7ap-13,
                0x1.71de3a52a150ap-19, -0x1.ae6454d4e0d0ep-26, 0x1.6123cd2a63ef7p-33,
                -0x1.ae438f5dc350ap-41, 0x1.8833f814da45bp-49);
}
/* The same on ±π/4, and cos(r) there. */
INLINE real sin_quarter_polynomial(real z) {
    return POLY(z, 1.0, -0x1.5555555555548p-3, 0x1.111111110f747p-7, -0x1.a01a019bedba9p-13,
                0x1.71de355a31aa7p-19, -0x1.ae5e50109e278p-26, 0x1.5d8ccbe424be3p-33);
}
INLINE real cos_quarter_polynomial(real z) {
    return POLY(z, 1.0, -0.5, 0x1.555555555554bp-5, -0x1.6c16c16c15005p-10, 0x1.a01a019c8c65p-16,
                -0x1.27e4f7eee47d3p-22, 0x1.1ee9d99a1c672p-29, -0x1.8fa534156336ap-37);
}

/* Up to here quotients by π are integers that three reals' worth of π reduce without loss. */
#define LARGE_ANGLE 0x1p30

/* 1/2π after 64 zero bits */
static constant ulong inverse_two_pi[21] = {
    0x0000000000000000, 0x28be60db9391054a, 0x7f09d5f47d4d3770, 0x36d8a5664f10e410,
    0x7f9458eaf7aef158, 0x6dc91b8e909374b8, 0x01924bba82746487, 0x3f877ac72c4a69cf,
    0xba208d7d4baed121, 0x3a671c09ad17df90, 0x4e64758e60d4ce7d, 0x272117e2ef7e4a0e,
    0xc7fe25fff7816603, 0xfbcbc462d6829b47, 0xdb4d9fb3c9f2c26d, 0xd3d18fd9a797fa8b,
    0x5d49eeb1faf97c5e, 0xcf41ce7de294a4ba, 0x9afed7ec47e35742, 0x1580cc11bf1edaea,
    0xfc33ef0826bd0d87};

INLINE ulong high_product(ulong x, ulong y) {
    ulong x_low = x & 0xffffffff, x_high = x >> 32, y_low = y & 0xffffffff, y_high = y >> 32;
    ulong middle = x_high * y_low + (x_low * y_low >> 32);
    ulong other = x_low * y_high + (middle & 0xffffffff);
    return x_high * y_high + (middle >> 32) + (other >> 32);
}

/* The same as float.h's, with a fraction of 2^128 from 192 bits of 1/2π. */
INLINE real reduce_large(real x, ulong plus, int units_log2, uint *n) {
    ulong size = as_ulong(x) & 0x7fffffffffffffff;
    /* Lanes that aren't large execute this too, and must not read out of bounds. */
    uint offset = (uint)minimum(maximum((long)(size >> 52), 1053l) - 1011, 1035l);
    ulong mantissa = (size & 0xfffffffffffff) | 0x10000000000000;
    constant ulong *words = inverse_two_pi + (offset >> 6);
    ulong shift = offset & 63;
    ulong w0 = __builtin_elementwise_fshl(words[0], words[1], shift);
    ulong w1 = __builtin_elementwise_fshl(words[1], words[2], shift);
    ulong w2 = __builtin_elementwise_fshl(words[2], words[3], shift);
    ulong middle = mantissa * w1;
    ulong low = middle + high_product(mantissa, w2);
    ulong turns = mantissa * w0 + high_product(mantissa, w1) + (low < middle);
    turns += plus;

    *n = (uint)((turns + (1ul << (63 - units_log2))) >> (64 - units_log2));
    ulong rest = turns << units_log2 | low >> (64 - units_log2);
    low <<= units_log2;
    bool negative = (long)rest < 0;
    rest = negative ? ~rest + (low == 0) : rest;
    low = negative ? -low : low;
    ulong zeros = __builtin_elementwise_clzg(rest | 1, 0ul);
    rest = __builtin_elementwise_fshl(rest, low, zeros);
    low <<= zeros;
    real unit = units_log2 == 1 ? PI_HIGH : PI_HIGH / 2;
    real unit_low = units_log2 == 1 ? PI_MIDDLE : PI_MIDDLE / 2;
    real top = (real)(rest >> 11) * 0x1p-53;
    real tail = (real)((rest & 0x7ff) << 42 | low >> 22) * 0x1p-106;
    real angle = fused(top, unit, fused(top, unit_low, tail * unit));
    angle *= as_double((BIAS - zeros) << FRACTION_BITS);
    return negative ? -angle : angle;
}

/* asin(s) = s + s z result(z), z = s² <= ¼: 2^-59.9 */
INLINE real asin_polynomial(real z) {
    return POLY(z, 0x1.5555555555577p-3, 0x1.333333332e133p-4, 0x1.6db6db721247bp-5,
                0x1.f1c71a95002fbp-6, 0x1.6e8bdedebf9dfp-6, 0x1.1c49f077d5bc7p-6,
                0x1.ca1f8af1f0a3p-7, 0x1.75859dad05ec1p-7, 0x1.613c1e6ed62ccp-7,
                0x1.e5fbe88e19b6dp-9, 0x1.639a894e13f3ep-6, -0x1.57fad0de8e68fp-6,
                0x1.0b45e9f72248dp-5);
}
/* The same as float.h's: beyond tan(π/8) as π/4 and the rest: 2^-59 */
INLINE real atan_of_ratio(real smaller, real larger, bool any) {
    if (any) {
        /* Sums must not overflow, products with tan(π/8) not lose bits as denormals. */
        real scale = larger > 0x1p1000 ? 0x1p-10 : larger < 0x1p-900 ? 0x1p100 : 1.0;
        smaller *= scale;
        larger *= scale;
    }
    bool steep = smaller > 0x1.a827999fcef32p-2 * larger;
    real t = (steep ? smaller - larger : smaller) / (steep ? smaller + larger : larger);
    if (any) {
        steep |= smaller == INFINITY; /* inf > inf doesn't hold */
        t = larger == 0.0 ? 0.0 : t;
        t = smaller == INFINITY ? 0.0 : t;
    }
    real z = t * t;
    real q = POLY(z, -0x1.555555555553cp-2, 0x1.99999999956ap-3, -0x1.24924922a3a9ep-3,
                  0x1.c71c70e2a416ep-4, -0x1.745cf8815fa66p-4, 0x1.3b111326a8a9bp-4,
                  -0x1.10eb77b2baecbp-4, 0x1.df0bc3770afcp-5, -0x1.9cc356ab3b53ep-5,
                  0x1.37af90e082a6bp-5, -0x1.2518d83c1b328p-6);
    real angle = fused(t * z, q, t);
    return steep ? PI_HIGH / 4 + (angle + PI_MIDDLE / 4) : angle;
}
/* x^-⅓ to begin with, and how often it is refined */
#define CBRT_START(size) as_double(0x553ee7ce2aaaac00 - as_ulong(size) / 3)
#define CBRT_STEPS 2
/* Thresholds and factors for scaling the squares. */
#define HYPOT_HIGH 0x1p500
#define HYPOT_DOWN 0x1p-530
#define HYPOT_LOW 0x1p-450
#define HYPOT_UP 0x1p600

/* erf(x) = x result(x²) up to ERF_SMALL: 2^-56 */
#define ERF_SMALL 0.92
INLINE real erf_polynomial(real z) {
    return POLY(z, 0x1.20dd750429b6dp0, -0x1.812746b0379c6p-2, 0x1.ce2f21a0419a7p-4,
                -0x1.b82ce3123cf08p-6, 0x1.565bcd0358bb1p-8, -0x1.c02db1feb241bp-11,
                0x1.f9a2e9f7af141p-14, -0x1.f4cd7877c695cp-17, 0x1.b9a27d87877f8p-20,
                -0x1.5cf1a8e59570ap-23, 0x1.de1750a3e585p-27, -0x1.c2a48c7002a15p-31);
}
/* e^a² erfc(a), 0 <= a <= ERFC_HIGH: 2^-50.6 */
#define ERFC_HIGH 27.5
INLINE real erfcx_polynomial(real a) {
    real t = (a - 4.0) / (a + 4.0);
    return POLY(t, 0x1.18932bf08e154p-3, -0x1.094922737431ap-2, 0x1.bff01a5f90862p-3,
                -0x1.506666f69e561p-3, 0x1.be502c36583d6p-4, -0x1.027d5744b5e77p-4,
                0x1.0066e1049873fp-5, -0x1.a4ded4148a491p-7, 0x1.0a17eb792351fp-8,
                -0x1.a2f8fbedcaa7ep-11, -0x1.6d19d488e28e8p-16, 0x1.4b477d53ea5afp-14,
                -0x1.7a6dc0681cf36p-16, -0x1.fed667ea65cb1p-20, 0x1.8b3fb3bc0a9b7p-19,
                -0x1.b758baf371c15p-22, -0x1.31ce40e4da5b6p-22, 0x1.9f966b803f8f8p-24,
                0x1.c60437e30941cp-26, -0x1.0b0ac53b0a54fp-26, -0x1.bd016bf4fab1bp-29,
                0x1.eb268a470081dp-30, 0x1.203926c5256cfp-31);
}

/* Γ above GAMMA_SHIFT by Stirling's formula, below by Γ(a + GAMMA_SHIFT) */
#define GAMMA_SHIFT 12
#define LOG_GAMMA_SHIFT GAMMA_SHIFT
#define GAMMA_HIGH 190.0
#define GAMMA_NORMAL 170.0
/* a (a+1) … (a+11), taken in pairs */
INLINE real rising_product(real a) {
    real pair = fused(a, a, 11.0 * a);
    return pair * (pair + 10.0) * (pair + 18.0) * ((pair + 24.0) * (pair + 28.0)) * (pair + 30.0);
}
/* 1/12y - 1/360y³ + … */
INLINE real stirling_series(real y) {
    real inverse = 1.0 / y;
    return inverse * POLY(inverse * inverse, 1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680,
                          1.0 / 1188, -691.0 / 360360, 1.0 / 156, -3617.0 / 122400);
}
INLINE real stirling_factor(real y) {
    real s = stirling_series(y);
    return fused(s * s, exp_polynomial(s), s) + 1;
}
#define ROOT_2_PI 0x1.40d931ff62706p1
#define STIRLING_CONSTANT 0x1.acfe390c97d69p-2 /* log(2π)/2 - ½ */
/* log Γ(b) / (b-1)(b-2) on [0.8, 2.5] about 1.65: 2^-49.5 */
INLINE real log_gamma_polynomial(real t) {
    return POLY(t, 0x1.d9a766f82eb1ap-2, -0x1.082e5871b59cdp-3, 0x1.a039e7963a138p-5,
                -0x1.795fbc2d74104p-6, 0x1.707aeca7a5858p-7, -0x1.783976d73ebf7p-8,
                0x1.8b8d0360b4864p-9, -0x1.a877e12083eb0p-10, 0x1.ce63f4783afd6p-11,
                -0x1.fd7e5f4fac9c4p-12, 0x1.1b4200225e861p-12, -0x1.3d7f4d0f5d92ep-13,
                0x1.65d10edd669a4p-14, -0x1.917718a76d5a5p-15, 0x1.c8a9437cabdfep-16,
                -0x1.1c04157e511c2p-16, 0x1.46164eaecb216p-17, -0x1.73ca7259ea5b2p-19,
                0x1.a5b6279bc57a3p-20, -0x1.3dc68cd5f7471p-18, 0x1.7329908e9c4cfp-19,
                0x1.cefbfdf86bc2ap-20, -0x1.107e226d41083p-20, -0x1.23049b71f6471p-20,
                0x1.54f9bed99c623p-21);
}

#endif
