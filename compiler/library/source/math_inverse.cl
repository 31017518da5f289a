/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2 for float: inverse circular and hyperbolic functions, and sinh, cosh, tanh. */
#include "float.h"

#define HALF_PI 0x1.921fb6p0f
#define HALF_PI_LOW -0x1.777a5cp-25f
#define INVERSE_PI 0x1.45f306p-2f

/* asin(|x|) = sign * p + offset * π/2 with p = asin of an argument up to ½. */
INLINE float asin_parts(float x, bool *large) {
    float size = magnitude(x);
    *large = size > 0.5f;
    float z = *large ? fused(-0.5f, size, 0.5f) : size * size;
    float s = *large ? root(z) : size;
    /* asin(√z) / √z on [0, ¼]: 2^-27.6 */
    float q = poly4(z, 0x1.5555c8p-3f, 0x1.330206p-4f, 0x1.747b72p-5f, 0x1.8c415ap-6f,
                    0x1.5959aap-5f);
    return fused(s * z, q, s);
}
OVERLOAD float asin(float x) {
    bool large;
    float p = asin_parts(x, &large);
    return signed_as(large ? fused(-2.0f, p, HALF_PI_LOW) + HALF_PI : p, x);
}
OVERLOAD float acos(float x) {
    bool large;
    float p = asin_parts(x, &large);
    float small_result = HALF_PI - (signed_as(p, x) - HALF_PI_LOW);
    float large_result = x > 0.0f ? 2.0f * p : fused(-2.0f, p, 2.0f * HALF_PI_LOW) + 2.0f * HALF_PI;
    return large ? large_result : small_result;
}
OVERLOAD float asinpi(float x) {
    bool large;
    float p = asin_parts(x, &large) * INVERSE_PI;
    return signed_as(large ? fused(-2.0f, p, 0.5f) : p, x);
}
OVERLOAD float acospi(float x) {
    bool large;
    float p = asin_parts(x, &large) * INVERSE_PI;
    float large_result = x > 0.0f ? 2.0f * p : fused(-2.0f, p, 1.0f);
    return large ? large_result : 0.5f - signed_as(p, x);
}

/* atan(t) / t on [0, 1] in t²: 2^-25.8 */
INLINE float atan_core(float t) {
    float z = t * t;
    float q = poly7(z, -0x1.5554dcp-2f, 0x1.9978eep-3f, -0x1.230abp-3f, 0x1.b4dfdcp-4f,
                    -0x1.3553f4p-4f, 0x1.61f756p-5f, -0x1.0c23fep-6f, 0x1.7ec1c4p-9f);
    return fused(t * z, q, t);
}
INLINE float atan_positive(float size, float unit, float half_turn, float half_turn_low) {
    bool large = size > 1.0f;
    float p = atan_core(large ? 1.0f / size : size) * unit;
    return large ? (half_turn_low - p) + half_turn : p;
}
OVERLOAD float atan(float x) {
    return signed_as(atan_positive(magnitude(x), 1.0f, HALF_PI, HALF_PI_LOW), x);
}
OVERLOAD float atanpi(float x) {
    return signed_as(atan_positive(magnitude(x), INVERSE_PI, 0.5f, 0.0f), x);
}

/* The angle of (|x|, |y|) from the smaller over the larger, then by quadrant; 0/0 counts as 0 and
 * infinity/infinity as 1. */
INLINE float angle(float y, float x, float unit, float half_turn, float half_turn_low) {
    float a = magnitude(x), b = magnitude(y);
    bool steep = b > a;
    float larger = steep ? b : a, smaller = steep ? a : b;
    float t = smaller / larger;
    t = larger == 0.0f ? 0.0f : t;
    t = smaller == INFINITY ? 1.0f : t;
    float p = atan_core(t) * unit;
    p = steep ? (half_turn_low - p) + half_turn : p;
    p = as_int(x) < 0 ? (2.0f * half_turn_low - p) + 2.0f * half_turn : p;
    return (x != x) | (y != y) ? x + y : signed_as(p, y);
}
OVERLOAD float atan2(float y, float x) { return angle(y, x, 1.0f, HALF_PI, HALF_PI_LOW); }
OVERLOAD float atan2pi(float y, float x) { return angle(y, x, INVERSE_PI, 0.5f, 0.0f); }

/* ---- hyperbolic ---- */

/* e^|x| / 2 */
INLINE float half_exp_of(float size) {
    int k;
    float p = exp_parts(size > 91.0f ? 91.0f : size, &k);
    return scaled(p, k - 1);
}
OVERLOAD float sinh(float x) {
    float e = half_exp_of(magnitude(x));
    float z = x * x; /* sinh(x) / x on [0, 1] in x²: 2^-31 */
    float p = poly3(z, 0x1.555556p-3f, 0x1.1110eap-7f, 0x1.a01c22p-13f, 0x1.76771ep-19f);
    float small_result = x * fused(z, p, 1.0f);
    return magnitude(x) > 1.0f ? signed_as(e - 0.25f / e, x) : x == x ? small_result : x;
}
OVERLOAD float cosh(float x) {
    float e = half_exp_of(magnitude(x));
    return e + 0.25f / e;
}
OVERLOAD float tanh(float x) {
    float size = magnitude(x);
    float e = expm1_core(2.0f * (size > 10.0f ? 10.0f : size));
    return signed_as(e / (e + 2.0f), x);
}

/* log1p for arguments up to infinity. */
INLINE float log1p_positive(float x) { return x < INFINITY ? log1p_core(x) : x; }

/* Beyond this the square overflows before it matters: log(2x) then. */
#define LARGE 0x1p30f
OVERLOAD float asinh(float x) {
    float size = magnitude(x);
    float square = size * size;
    float w = size + square / (1.0f + root(1.0f + square));
    float result = log1p_positive(size > LARGE ? size : w);
    result += size > LARGE ? 0x1.62e43p-1f : 0.0f;
    return size < 0x1p-30f ? x : signed_as(result, x);
}
OVERLOAD float acosh(float x) {
    float t = x - 1.0f;
    float w = t + root(fused(t, t, 2.0f * t));
    float result = log1p_positive(x > LARGE ? x : w);
    return x < 1.0f ? NAN : result + (x > LARGE ? 0x1.62e43p-1f : 0.0f);
}
OVERLOAD float atanh(float x) {
    float size = magnitude(x);
    float result = 0.5f * log1p_positive(2.0f * size / (1.0f - size));
    result = size > 1.0f ? NAN : result;
    return size < 0x1p-30f ? x : signed_as(result, x);
}

EACH_VECTOR(MAP_1, asin, float, float)
EACH_VECTOR(MAP_1, acos, float, float)
EACH_VECTOR(MAP_1, atan, float, float)
EACH_VECTOR(MAP_1, asinpi, float, float)
EACH_VECTOR(MAP_1, acospi, float, float)
EACH_VECTOR(MAP_1, atanpi, float, float)
EACH_VECTOR(MAP_2, atan2, float, float, float)
EACH_VECTOR(MAP_2, atan2pi, float, float, float)
EACH_VECTOR(MAP_1, sinh, float, float)
EACH_VECTOR(MAP_1, cosh, float, float)
EACH_VECTOR(MAP_1, tanh, float, float)
EACH_VECTOR(MAP_1, asinh, float, float)
EACH_VECTOR(MAP_1, acosh, float, float)
EACH_VECTOR(MAP_1, atanh, float, float)
