/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2: inverse circular functions. */
#include "real.h"

#define HALF_PI (PI_HIGH / 2)
#define HALF_PI_LOW (PI_MIDDLE / 2)

/* asin(|x|), or (π/2 - asin(|x|)) / 2 above ½. */
INLINE real asin_parts(real x, bool *large) {
    real size = magnitude(x);
    *large = size > (real)0.5;
    real z = *large ? fused((real)-0.5, size, (real)0.5) : size * size;
    real s = *large ? root(z) : size;
    return fused(s * z, asin_polynomial(z), s);
}
OVERLOAD real asin(real x) {
    bool large;
    real p = asin_parts(x, &large);
    return signed_as(large ? fused(-2, p, HALF_PI_LOW) + HALF_PI : p, x);
}
OVERLOAD real acos(real x) {
    bool large;
    real p = asin_parts(x, &large);
    real small_result = HALF_PI - (signed_as(p, x) - HALF_PI_LOW);
    real large_result = x > 0 ? 2 * p : fused(-2, p, 2 * HALF_PI_LOW) + 2 * HALF_PI;
    return large ? large_result : small_result;
}
OVERLOAD real asinpi(real x) {
    bool large;
    real p = asin_parts(x, &large) * INVERSE_PI;
    return signed_as(large ? fused(-2, p, (real)0.5) : p, x);
}
OVERLOAD real acospi(real x) {
    bool large;
    real p = asin_parts(x, &large) * INVERSE_PI;
    real large_result = x > 0 ? 2 * p : fused(-2, p, 1);
    return large ? large_result : (real)0.5 - signed_as(p, x);
}

/* The angle of (x, y) in units where a half turn is 2 quarter_turn: of the smaller over the larger
 * component, then by octant. Not `any`: see atan_of_ratio. */
INLINE real angle(real y, real x, bool any, real unit, real quarter_turn, real quarter_turn_low) {
    real a = magnitude(x), b = magnitude(y);
    bool steep = b > a;
    real p = atan_of_ratio(steep ? a : b, steep ? b : a, any) * unit;
    p = steep ? (quarter_turn_low - p) + quarter_turn : p;
    bool left = (sbits)AS_BITS(x) < 0;
    return left ? (2 * quarter_turn_low - p) + 2 * quarter_turn : p;
}
OVERLOAD real atan(real x) {
    return signed_as(angle(magnitude(x), 1, false, 1, HALF_PI, HALF_PI_LOW), x);
}
OVERLOAD real atanpi(real x) {
    return signed_as(angle(magnitude(x), 1, false, INVERSE_PI, (real)0.5, 0), x);
}
OVERLOAD real atan2(real y, real x) {
    real result = signed_as(angle(y, x, true, 1, HALF_PI, HALF_PI_LOW), y);
    return (x != x) | (y != y) ? x + y : result;
}
OVERLOAD real atan2pi(real y, real x) {
    real result = signed_as(angle(y, x, true, INVERSE_PI, (real)0.5, 0), y);
    return (x != x) | (y != y) ? x + y : result;
}

EACH_VECTOR(MAP_1, asin, real, real)
EACH_VECTOR(MAP_1, acos, real, real)
EACH_VECTOR(MAP_1, atan, real, real)
EACH_VECTOR(MAP_1, asinpi, real, real)
EACH_VECTOR(MAP_1, acospi, real, real)
EACH_VECTOR(MAP_1, atanpi, real, real)
EACH_VECTOR(MAP_2, atan2, real, real, real)
EACH_VECTOR(MAP_2, atan2pi, real, real, real)
