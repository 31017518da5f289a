/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2 for float: powers and roots. */
#include "float.h"

/* log2|x| as two floats, -infinity, infinity and NaN included (`low` is idle then). */
INLINE float log2_of_magnitude(float x, float *low) {
    float size = magnitude(x);
    float high = log2_sum(size, low);
    high = size < INFINITY ? high : size;
    return size == 0.0f ? -INFINITY : high;
}

/* |x|^(y + y_low) */
INLINE float power_of_magnitude(float x, float y, float y_low) {
    float low;
    float high = log2_of_magnitude(x, &low);
    float product = y * high;
    return exp2_sum(product, fused(y, high, -product) + fused(y, low, y_low * high));
}

/* With the sign of x where `odd`. */
INLINE float with_sign_of(float x, bool odd, float result) {
    return as_float(as_uint(result) | (odd ? as_uint(x) & 0x80000000 : 0));
}

OVERLOAD float pow(float x, float y) {
    float result = power_of_magnitude(x, y, 0.0f);
    bool integer = integral(y) == y;
    bool odd = integer & (integral(0.5f * y) != 0.5f * y);
    result = with_sign_of(x, odd, result);
    result = (x < 0.0f) & (x > -INFINITY) & !integer ? NAN : result;
    bool one = (y == 0.0f) | (x == 1.0f) | ((x == -1.0f) & (magnitude(y) == INFINITY));
    return one ? 1.0f : result;
}

OVERLOAD float powr(float x, float y) {
    float result = power_of_magnitude(x, y, 0.0f);
    return x < 0.0f ? NAN : result;
}

/* n as the sum of two floats. */
INLINE float integer_sum(int n, float *low) {
    float upper = (float)(n & ~255), lower = (float)(n & 255);
    float high = upper + lower;
    *low = lower - (high - upper);
    return high;
}

OVERLOAD float pown(float x, int n) {
    float low;
    float high = integer_sum(n, &low);
    float result = with_sign_of(x, n & 1, power_of_magnitude(x, high, low));
    return n == 0 ? 1.0f : result;
}

OVERLOAD float rootn(float x, int n) {
    float n_low, low;
    float n_high = integer_sum(n, &n_low);
    float high = log2_of_magnitude(x, &low);
    float quotient = high / n_high;
    float rest = fused(-quotient, n_high, high) + fused(-quotient, n_low, low);
    float result = with_sign_of(x, n & 1, exp2_sum(quotient, rest / n_high));
    return (n == 0) | ((x < 0.0f) & !(n & 1)) ? NAN : result;
}

/* The inverse cube root from a third of the exponent, refined by two steps of third order; a last
 * step with the exact square makes the cube root. */
OVERLOAD float cbrt(float x) {
    float size = magnitude(x);
    bool tiny = size < 0x1p-126f;
    size = tiny ? size * 0x1p24f : size;
    float y = as_float(0x54a2fa8c - as_int(size) / 3);
    float error = 1.0f - size * y * (y * y);
    y = fused(y * error, fused(error, 0x1.c71c72p-3f, 0x1.555556p-2f), y);
    error = fused(-(size * y), y * y, 1.0f);
    y = fused(y * error, fused(error, 0x1.c71c72p-3f, 0x1.555556p-2f), y);
    float c = size * (y * y), square = c * c;
    float rest = fused(-c, fused(c, c, -square), fused(-square, c, size));
    c = fused(rest, y * y * 0x1.555556p-2f, c) * (tiny ? 0x1p-8f : 1.0f);
    bool as_is = (x == 0.0f) | !(size < INFINITY);
    return as_is ? x : signed_as(c, x);
}

/* Scaled by powers of two so that squares neither overflow nor vanish; infinity beats NaN. */
OVERLOAD float hypot(float x, float y) {
    float larger = __builtin_elementwise_maxnum(magnitude(x), magnitude(y));
    float down = larger > 0x1p60f ? 0x1p-70f : larger < 0x1p-50f ? 0x1p90f : 1.0f;
    float up = larger > 0x1p60f ? 0x1p70f : larger < 0x1p-50f ? 0x1p-90f : 1.0f;
    x *= down;
    y *= down;
    return larger == INFINITY ? larger : root(fused(x, x, y * y)) * up;
}

EACH_VECTOR(MAP_2, pow, float, float, float)
EACH_VECTOR(MAP_2, powr, float, float, float)
EACH_VECTOR(MAP_2, pown, float, float, int)
EACH_VECTOR(MAP_2, rootn, float, float, int)
EACH_VECTOR(MAP_1, cbrt, float, float)
EACH_VECTOR(MAP_2, hypot, float, float, float)

/* Below 2^-149 and above 2^128 nothing is left of a power, so no domain but x < 0 matters. */
#define POWER_OF_POSITIVE(n, prefix)                                                               \
    OVERLOAD float##n prefix##_powr(float##n x, float##n y) { return powr(x, y); }
EACH_WIDTH(POWER_OF_POSITIVE, half)
EACH_WIDTH(POWER_OF_POSITIVE, native)
