/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2 for float: sin, cos, tan and their …pi, half_ and native_ forms. */
#include "float.h"

OVERLOAD float sin(float x) { return sin_shifted(x, 0.0f); }
OVERLOAD float cos(float x) { return sin_shifted(x, 0.5f); }

OVERLOAD float tan(float x) {
    uint n;
    float r = reduce_quarter(x, &n);
    float s = sin_quarter(r), c = cos_quarter(r);
    return (n & 1 ? c : s) / (n & 1 ? -s : c);
}

OVERLOAD float sincos(float x, private float *cosine) {
    uint n;
    float r = reduce_quarter(x, &n);
    float s = sin_quarter(r), c = cos_quarter(r);
    uint swapped_sine = as_uint(n & 1 ? c : s), swapped_cosine = as_uint(n & 1 ? s : c);
    *cosine = as_float(swapped_cosine ^ ((n + 1) << 30 & 0x80000000));
    return as_float(swapped_sine ^ (n << 30 & 0x80000000));
}

/* Exactly x modulo 2, in [-1, 1]. */
INLINE float modulo_2(float x) { return fused(-2.0f, integral(0.5f * x), x); }

/* Zeros at integers have the sign of x. */
OVERLOAD float sinpi(float x) {
    float y = modulo_2(x);
    float n = integral(y);
    float s = sin_core((y - n) * PI_HIGH);
    s = n == 0.0f ? s : -s;
    return y == n ? signed_as(0.0f * x, x) : s;
}
OVERLOAD float cospi(float x) { return sin_core((0.5f - magnitude(modulo_2(x))) * PI_HIGH); }
OVERLOAD float tanpi(float x) {
    float y = modulo_2(x);
    float n = integral(y);
    float r = y - n;
    float t = sin_core(r * PI_HIGH) / sin_core((0.5f - magnitude(r)) * PI_HIGH);
    float zero = signed_as(0.0f, n == 0.0f ? x : -x);
    return r == 0.0f ? zero : t;
}

/* No reduction of large angles: |x| is at most 2^16 (table 6.9). */
INLINE float sin_small(float x, float shift) {
    float t = fused(x, 0x1.45f306p-2f, shift) + ROUNDER;
    float n = t - ROUNDER - shift;
    float r = fused(-n, PI_MIDDLE, fused(-n, PI_HIGH, x));
    return as_float(as_uint(sin_core(r)) ^ as_uint(t) << 31);
}
OVERLOAD float half_sin(float x) { return sin_small(x, 0.0f); }
OVERLOAD float half_cos(float x) { return sin_small(x, 0.5f); }
OVERLOAD float half_tan(float x) { return sin_small(x, 0.0f) / sin_small(x, 0.5f); }
OVERLOAD float native_sin(float x) { return sin_small(x, 0.0f); }
OVERLOAD float native_cos(float x) { return sin_small(x, 0.5f); }
OVERLOAD float native_tan(float x) { return sin_small(x, 0.0f) / sin_small(x, 0.5f); }

EACH_VECTOR(MAP_1, sin, float, float)
EACH_VECTOR(MAP_1, cos, float, float)
EACH_VECTOR(MAP_1, tan, float, float)
EACH_VECTOR(MAP_1, sinpi, float, float)
EACH_VECTOR(MAP_1, cospi, float, float)
EACH_VECTOR(MAP_1, tanpi, float, float)
EACH_VECTOR(MAP_1, half_sin, float, float)
EACH_VECTOR(MAP_1, half_cos, float, float)
EACH_VECTOR(MAP_1, half_tan, float, float)
EACH_VECTOR(MAP_1, native_sin, float, float)
EACH_VECTOR(MAP_1, native_cos, float, float)
EACH_VECTOR(MAP_1, native_tan, float, float)
EACH_VECTOR(MAP_OUT, sincos, float, float, private)
EACH_OTHER_SPACE(MAP_OUT_SCALAR_AND_VECTORS, sincos, float, float)
