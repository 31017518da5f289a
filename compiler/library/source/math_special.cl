/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2 for float: error functions and gamma. */
#include "float.h"

/* erfc(a) for 0 <= a: e^-a² (a² in two floats) times e^a² erfc(a), a polynomial in (a-2)/(a+2). */
INLINE float erfc_core(float a) {
    a = a > 10.5f ? 10.5f : a;
    float t = (a - 2.0f) / (a + 2.0f); /* for a up to 10.5: 2^-24.5 */
    float q = poly7(t, 0x1.eeea5ep-3f, -0x1.437c2cp-4f, 0x1.e98c7cp-9f, 0x1.c94ecap-8f,
                    -0x1.c07e4cp-11f, -0x1.e5d352p-11f, 0x1.0d976ep-14f, 0x1.c4bf4p-14f);
    q = fused(fused(q, t, -0x1.b5703cp-2f), t, 0x1.058672p-2f);
    int k;
    float square = a * a;
    float p = exp_parts(-square, &k);
    p = fused(-p, fused(a, a, -square), p);
    return scaled(p * q, k);
}
OVERLOAD float erfc(float x) {
    float positive = erfc_core(magnitude(x));
    float result = x < 0.0f ? 2.0f - positive : positive;
    return x == x ? result : x;
}
OVERLOAD float erf(float x) {
    float size = magnitude(x);
    float z = x * x; /* erf(x) / x on [0, 0.92] in x²: 2^-24 */
    float p = poly5(z, 0x1.20dd74p0f, -0x1.8126a4p-2f, 0x1.ce13e2p-4f, -0x1.b6466cp-6f,
                    0x1.45fc38p-8f, -0x1.35df3ep-11f);
    float large_result = signed_as(1.0f - erfc_core(size), x);
    return size > 0.92f ? large_result : x * p;
}

/* sin(π x) for finite x, with the zeros and the sign that reflections need. */
INLINE float sin_of_half_turns(float x) {
    float y = fused(-2.0f, integral(0.5f * x), x);
    float n = integral(y);
    float s = sin_core((y - n) * PI_HIGH);
    return n == 0.0f ? s : -s;
}

/* Γ(a) / 2^k for 0 < a, by Stirling's formula at a, or at a + 6 and then downwards. */
INLINE float gamma_parts(float a, int *k) {
    a = a > 48.0f ? 48.0f : a;
    bool shifted = a < 6.0f;
    float y = shifted ? a + 6.0f : a;
    float y_low = shifted ? a - (y - 6.0f) : 0.0f;
    /* log2 of y^(y-½) e^-y in two floats, and what y's rounding took */
    float low;
    float high = log2_sum(y, &low);
    float power = y - 0.5f;
    float product = power * high;
    float product_low = fused(power, high, -product) + fused(power, low, y_low * high);
    float decay = y * 0x1.715476p0f;
    float sum = product - decay;
    product_low += (product - sum) - decay;
    product_low -= fused(y, 0x1.4ae0cp-26f, fused(y, 0x1.715476p0f, -decay));
    float t = sum + ROUNDER;
    float r = (sum - (t - ROUNDER)) + product_low;
    *k = as_int(t) - as_int(ROUNDER);
    /* √2π e^(1/12y - 1/360y³ + 1/1260y⁵) with the exponential as a series */
    float inverse = 1.0f / y, square = inverse * inverse;
    float s = inverse * fused(square, fused(square, 0x1.a01a02p-11f, -0x1.6c16c2p-9f),
                              0x1.555556p-4f);
    float correction = fused(s, fused(s, fused(s, 0x1.555556p-3f, 0.5f), 1.0f), 1.0f);
    float p = EXP2_POLYNOMIAL(r) * (0x1.40d932p1f * correction);
    /* a (a+1) … (a+5), taken in pairs */
    float pair = fused(a, a, 5.0f * a);
    float divisor = pair * (pair + 4.0f) * (pair + 6.0f);
    return shifted ? p / divisor : p;
}

/* Γ(x) Γ(-x) = -π / (x sin πx) */
OVERLOAD float tgamma(float x) {
    int k;
    float size = magnitude(x);
    float g = gamma_parts(size, &k);
    float reflected = -0x1.921fb6p1f / (x * sin_of_half_turns(x) * g);
    float result = scaled(x > 0.0f ? g : reflected, x > 0.0f ? k : -k);
    result = (x < 0.0f) & (integral(x) == x) ? NAN : result;
    result = size < 0x1p-25f ? 1.0f / x : result;
    return x < INFINITY ? result : x;
}

INLINE float log_gamma_positive(float a) {
    /* 0.8 … 2.5: (a-1)(a-2) times a polynomial about 1.65 (2^-22.5); below, at a + 1 */
    bool low = a < 0.8f;
    float b = low ? a + 1.0f : a;
    float below = low ? a : a - 1.0f;
    float t = b - 1.65f;
    float q = poly7(t, -0x1.791586p-6f, 0x1.7026bcp-7f, -0x1.80f17p-8f,
                    0x1.957076p-9f, -0x1.40a942p-10f, 0x1.58b6ecp-11f,
                    -0x1.fa4ba4p-11f, 0x1.1c0b96p-11f);
    q = fused(fused(fused(q, t, 0x1.a03aacp-5f), t, -0x1.082ebp-3f), t,
              0x1.d9a766p-2f);
    float logarithm = log_core(a); /* serves both */
    float near = fused(below * (b - 2.0f), q, low ? -logarithm : 0.0f);
    /* Stirling at a, or at a + 3 */
    bool shifted = a < 6.0f;
    float y = shifted ? a + 3.0f : a;
    float log_y = log_core(y);
    float inverse = 1.0f / y, square = inverse * inverse;
    float s = inverse * fused(square, fused(square, 0x1.a01a02p-11f, -0x1.6c16c2p-9f),
                              0x1.555556p-4f);
    float stirling = fused(y - 0.5f, log_y - 1.0f, s + 0x1.ac8e0ep-2f);
    float down = log_core(a * (a + 1.0f) * (a + 2.0f));
    float far = shifted ? stirling - down : stirling;
    return a < 2.5f ? near : far;
}

/* 7.5.1: the sign is 0 at zero and negative integers. */
INLINE float log_gamma(float x, int *sign) {
    float size = magnitude(x);
    float positive = log_gamma_positive(size);
    float sine = sin_of_half_turns(x);
    float reflected = log_core(0x1.921fb6p1f / magnitude(x * sine)) - positive;
    bool pole = (x == 0.0f) | ((x < 0.0f) & (integral(x) == x));
    *sign = pole ? 0 : (x < 0.0f) & (sine < 0.0f) ? -1 : 1;
    float result = x < 0.0f ? reflected : positive;
    result = size < 0x1p-20f ? -log_core(size) : result;
    result = pole | (size == INFINITY) ? INFINITY : result;
    return x == x ? result : x;
}
OVERLOAD float lgamma(float x) {
    int sign;
    return log_gamma(x, &sign);
}
OVERLOAD float lgamma_r(float x, private int *sign) { return log_gamma(x, sign); }

EACH_VECTOR(MAP_1, erf, float, float)
EACH_VECTOR(MAP_1, erfc, float, float)
EACH_VECTOR(MAP_1, tgamma, float, float)
EACH_VECTOR(MAP_1, lgamma, float, float)
EACH_VECTOR(MAP_OUT, lgamma_r, float, int, private)
EACH_OTHER_SPACE(MAP_OUT_SCALAR_AND_VECTORS, lgamma_r, float, int)
