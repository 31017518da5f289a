/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2: powers and roots. */
#include "real.h"

/* log2|x| as two reals, -infinity, infinity and NaN included (`low` is idle then). */
INLINE real log2_of_magnitude(real x, real *low) {
    real size = magnitude(x);
    real high = log2_sum_of_tiny(size, low);
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

/* The same without y_low if |x| and the result are normal; *extreme: whether they aren't. */
INLINE real power_of_normal(real x, real y, bool *extreme) {
    real size = magnitude(x), low;
    bool unusual = outside(size, SMALLEST_NORMAL, LARGEST);
    real high = log2_sum(size, &low);
    real product = y * high;
    real rest = fused(y, low, fused(y, high, -product));
    real result = exp2_sum_normal(product, rest, extreme);
    *extreme |= unusual;
    return result;
}

/* The result with x's sign if `odd`. */
INLINE real with_sign_of(real x, bool odd, real result) {
    return AS_REAL(AS_BITS(result) | (odd ? AS_BITS(x) & SIGN_BIT : 0));
}

INLINE bool is_odd(real y, bool *integer) {
    *integer = integral(y) == y;
    return *integer & (integral((real)0.5 * y) != (real)0.5 * y);
}
INLINE real careful_pow(real x, real y) {
    bool integer, odd = is_odd(y, &integer);
    real result = with_sign_of(x, odd, power_of_magnitude(x, y, 0));
    result = (x < 0) & (x > -INFINITY) & !integer ? (real)NAN : result;
    bool one = (y == 0) | (x == 1) | ((x == -1) & (magnitude(y) == INFINITY));
    return one ? 1 : result;
}
OVERLOAD real pow(real x, real y) {
    bool extreme;
    real result = power_of_normal(x, y, &extreme);
    RARELY(x < 0) {
        bool integer, odd = is_odd(y, &integer);
        result = integer ? with_sign_of(x, odd, result) : (real)NAN;
    }
    RARELY(extreme) { result = careful_pow(x, y); }
    return result;
}

OVERLOAD real powr(real x, real y) {
    bool extreme;
    real result = power_of_normal(x, y, &extreme);
    RARELY(extreme | (x < 0)) {
        result = power_of_magnitude(x, y, 0);
        result = x < 0 ? (real)NAN : result;
    }
    return result;
}

/* n as the sum of two reals. */
INLINE real integer_sum(int n, real *low) {
    real upper = (real)(n & ~255), lower = (real)(n & 255);
    real high = upper + lower;
    *low = lower - (high - upper);
    return high;
}
/* Whether a float may be too short for n. */
INLINE bool is_long(int n) {
    return FRACTION_BITS < 31 && (uint)n + (1u << 24) > 1u << 25;
}

INLINE real careful_pown(real x, int n) {
    real low;
    real high = integer_sum(n, &low);
    real result = power_of_magnitude(x, high, low);
    return n == 0 ? 1 : result;
}
OVERLOAD real pown(real x, int n) {
    bool extreme;
    real result = power_of_normal(x, (real)n, &extreme);
    RARELY(extreme | is_long(n)) { result = careful_pown(x, n); }
    return with_sign_of(x, n & 1, result);
}

INLINE real careful_rootn(real x, int n) {
    real n_low, low;
    real n_high = integer_sum(n, &n_low);
    real high = log2_of_magnitude(x, &low);
    real quotient = high / n_high;
    real rest = fused(-quotient, n_high, high) + fused(-quotient, n_low, low);
    real result = with_sign_of(x, n & 1, exp2_sum(quotient, rest / n_high));
    return (n == 0) | ((x < 0) & !(n & 1)) ? (real)NAN : result;
}
OVERLOAD real rootn(real x, int n) {
    real low;
    bool unusual = outside(x, SMALLEST_NORMAL, LARGEST);
    unusual |= is_long(n);
    real high = log2_sum(x, &low);
    real divisor = (real)n, reciprocal = 1 / divisor;
    real quotient = high * reciprocal;
    real rest = (fused(-quotient, divisor, high) + low) * reciprocal;
    bool extreme;
    real result = exp2_sum_normal(quotient, rest, &extreme);
    RARELY(extreme | unusual) { result = careful_rootn(x, n); }
    return result;
}

/* The inverse cube root from a third of the exponent, refined by steps of fourth order; a last step
 * makes the cube root. */
INLINE real cbrt_of_normal(real size) {
    const real third = (real)(1.0 / 3);
    real y = CBRT_START(size);
    _Pragma("unroll") for (int i = 0; i < CBRT_STEPS; ++i) {
        real error = fused(-(size * y), y * y, 1);
        y = fused(y * error, POLY(error, third, (real)(2.0 / 9), (real)(14.0 / 81)), y);
    }
    real square = y * y, c = size * square;
    return fused(fused(-(c * c), c, size), square * third, c);
}
OVERLOAD real cbrt(real x) {
    real size = magnitude(x);
    real result = cbrt_of_normal(size);
    RARELY(outside(size, SMALLEST_NORMAL, LARGEST)) {
        result = cbrt_of_normal(size * (real)0x1p54) * (real)0x1p-18;
        result = (x == 0) | !(size < INFINITY) ? x : result;
    }
    return signed_as(result, x);
}

/* Scaled by powers of two so that squares neither overflow nor vanish; infinity beats NaN. */
INLINE real careful_hypot(real x, real y) {
    real larger = __builtin_elementwise_maxnum(magnitude(x), magnitude(y));
    bool high = larger > HYPOT_HIGH, low = larger < HYPOT_LOW;
    x *= high ? HYPOT_DOWN : low ? HYPOT_UP : 1;
    y *= high ? HYPOT_DOWN : low ? HYPOT_UP : 1;
    real result = root(fused(x, x, y * y)) * (high ? 1 / HYPOT_DOWN : low ? 1 / HYPOT_UP : 1);
    return larger == INFINITY ? larger : result;
}
OVERLOAD real hypot(real x, real y) {
    real square = fused(x, x, y * y);
    bool extreme = outside(square, HYPOT_LOW * HYPOT_LOW, HYPOT_HIGH * HYPOT_HIGH);
    real result = root(square);
    RARELY(extreme) { result = careful_hypot(x, y); }
    return result;
}

EACH_VECTOR(MAP_2, pow, real, real, real)
EACH_VECTOR(MAP_2, powr, real, real, real)
EACH_VECTOR(MAP_2, pown, real, real, int)
EACH_VECTOR(MAP_2, rootn, real, real, int)
EACH_VECTOR(MAP_1, cbrt, real, real)
EACH_VECTOR(MAP_2, hypot, real, real, real)
