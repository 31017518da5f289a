/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2: powers and roots. */
#include "real.h"

/* log2|x| as two reals, -infinity, infinity and NaN included (`low` is idle then). */
INLINE real log2_of_magnitude(real x, real *low) {
    real size = magnitude(x);
    real high = log2_sum(size, low);
    high = size < INFINITY ? high : size;
    return size == 0 ? -(real)INFINITY : high;
}

/* |x|^(y + y_low) */
INLINE real power_of_magnitude(real x, real y, real y_low) {
    real low;
    real high = log2_of_magnitude(x, &low);
    real product = y * high;
    return exp2_sum(product, fused(y, high, -product) + fused(y, low, y_low * high));
}

/* The result with x's sign if `odd`. */
INLINE real with_sign_of(real x, bool odd, real result) {
    return AS_REAL(AS_BITS(result) | (odd ? AS_BITS(x) & SIGN_BIT : 0));
}

OVERLOAD real pow(real x, real y) {
    bool integer = integral(y) == y;
    bool odd = integer & (integral((real)0.5 * y) != (real)0.5 * y);
    real result = with_sign_of(x, odd, power_of_magnitude(x, y, 0));
    result = (x < 0) & (x > -INFINITY) & !integer ? (real)NAN : result;
    bool one = (y == 0) | (x == 1) | ((x == -1) & (magnitude(y) == INFINITY));
    return one ? 1 : result;
}

OVERLOAD real powr(real x, real y) {
    real result = power_of_magnitude(x, y, 0);
    return x < 0 ? (real)NAN : result;
}

/* n as the sum of two reals. */
INLINE real integer_sum(int n, real *low) {
    real upper = (real)(n & ~255), lower = (real)(n & 255);
    real high = upper + lower;
    *low = lower - (high - upper);
    return high;
}

OVERLOAD real pown(real x, int n) {
    real low;
    real high = integer_sum(n, &low);
    real result = with_sign_of(x, n & 1, power_of_magnitude(x, high, low));
    return n == 0 ? 1 : result;
}

OVERLOAD real rootn(real x, int n) {
    real n_low, low;
    real n_high = integer_sum(n, &n_low);
    real high = log2_of_magnitude(x, &low);
    real quotient = high / n_high;
    real rest = fused(-quotient, n_high, high) + fused(-quotient, n_low, low);
    real result = with_sign_of(x, n & 1, exp2_sum(quotient, rest / n_high));
    return (n == 0) | ((x < 0) & !(n & 1)) ? (real)NAN : result;
}

/* The inverse cube root from a third of the exponent, refined by steps of third order; a last step
 * with the exact square makes the cube root. */
OVERLOAD real cbrt(real x) {
    const real third = (real)(1.0 / 3), two_ninths = (real)(2.0 / 9);
    real size = magnitude(x);
    bool tiny = size < SMALLEST_NORMAL;
    size = tiny ? size * (real)0x1p54 : size;
    real y = CBRT_START(size);
    _Pragma("unroll") for (int i = 0; i < CBRT_STEPS; ++i) {
        real error = fused(-(size * y), y * y, 1);
        y = fused(y * error, fused(error, two_ninths, third), y);
    }
    real c = size * (y * y), square = c * c;
    real rest = fused(-c, fused(c, c, -square), fused(-square, c, size));
    c = fused(rest, y * y * third, c) * (tiny ? (real)0x1p-18 : 1);
    bool as_is = (x == 0) | !(size < INFINITY);
    return as_is ? x : signed_as(c, x);
}

/* Scaled by powers of two so that squares neither overflow nor vanish; infinity beats NaN. */
OVERLOAD real hypot(real x, real y) {
    real larger = __builtin_elementwise_maxnum(magnitude(x), magnitude(y));
    bool high = larger > HYPOT_HIGH, low = larger < HYPOT_LOW;
    x *= high ? HYPOT_DOWN : low ? HYPOT_UP : 1;
    y *= high ? HYPOT_DOWN : low ? HYPOT_UP : 1;
    real result = root(fused(x, x, y * y)) * (high ? 1 / HYPOT_DOWN : low ? 1 / HYPOT_UP : 1);
    return larger == INFINITY ? larger : result;
}

EACH_VECTOR(MAP_2, pow, real, real, real)
EACH_VECTOR(MAP_2, powr, real, real, real)
EACH_VECTOR(MAP_2, pown, real, real, int)
EACH_VECTOR(MAP_2, rootn, real, real, int)
EACH_VECTOR(MAP_1, cbrt, real, real)
EACH_VECTOR(MAP_2, hypot, real, real, real)

#ifndef REAL_IS_DOUBLE
OVERLOAD float exp2(float x);
OVERLOAD float log2(float x);
/* Errors grow with the logarithm of the result: 2^-24 128 ln2, of which 2^-11 is allowed. */
OVERLOAD float half_powr(float x, float y) { return exp2(y * log2(x)); }
EACH_VECTOR(MAP_2, half_powr, float, float, float)
#endif
