/* SPDX-License-Identifier: Apache-2.0 */
/* Less accurate float functions. `__relaxed_f` replaces f under -cl-unsafe-math-optimizations
 * (OpenCL C 3.0, 7.4, within those limits): arguments and results are finite, denormals count as 0,
 * angles are small. library/builtin_library_linker.cpp redirects calls to relaxed functions by
 * name. */
#include "real.h"

#define RELAXED_LN_2 0x1.62e43p-1f

OVERLOAD float exp2(float x);

/* ---- logarithms ---- */

/* x = 2^e (1 + f), f in [-¼, ½]; result log(1 + f): 2^-24 */
INLINE float relaxed_log_parts(float x, float *e) {
    int k = (int)(as_uint(x) - as_uint(0.75f)) >> 23;
    *e = (float)k;
    float f = as_float(as_uint(x) - ((uint)k << 23)) - 1;
    float q = NARROW_POLY(f, 0x1.554c66p-2f, -0x1.ffae4ap-3f, 0x1.9c2656p-3f, -0x1.62a1f4p-3f,
                          0x1.1c904ep-3f, -0x1.0713dep-4f);
    return fused(q * f - 0.5f, f * f, f);
}
INLINE float flushed_log(float x, float result) {
    return x < SMALLEST_NORMAL ? -INFINITY : result;
}
OVERLOAD float __relaxed_log(float x) {
    float e, p = relaxed_log_parts(x, &e);
    return flushed_log(x, fused(e, RELAXED_LN_2, p));
}
OVERLOAD float __relaxed_log2(float x) {
    float e, p = relaxed_log_parts(x, &e);
    return flushed_log(x, fused(p, LOG2_E, e));
}
OVERLOAD float __relaxed_log10(float x) { return __relaxed_log2(x) * LOG10_2; }

/* ---- powers: as 7.4 derives them; an odd power has the sign of x ---- */

OVERLOAD float __relaxed_powr(float x, float y) { return exp2(y * __relaxed_log2(x)); }

INLINE float signed_power(float x, float power, int n) {
    return as_float(as_uint(power) | (as_uint(x) & (uint)n << 31));
}
OVERLOAD float __relaxed_pow(float x, float y) {
    int n = (int)at_most(magnitude(y), 0x1p24f); /* beyond that undefined for negative x */
    return signed_power(x, __relaxed_powr(magnitude(x), y), n);
}
OVERLOAD float __relaxed_pown(float x, int n) {
    return signed_power(x, __relaxed_powr(magnitude(x), (float)n), n);
}
OVERLOAD float __relaxed_rootn(float x, int n) {
    return signed_power(x, exp2(__relaxed_log2(magnitude(x)) / (float)n), n);
}

/* ---- circular functions ---- */

/* sin(r) on ±π/2: 2^-20 */
INLINE float short_sin(float r) {
    float z = r * r;
    float q = NARROW_POLY(z, -0x1.55502ap-3f, 0x1.106126p-7f, -0x1.83ce9ap-13f);
    return fused(q * z, r, r);
}
/* sin(x) for x = (half_turns - shift) π + r */
INLINE float small_sin(float x, float half_turns, float shift) {
    float t = half_turns + ROUNDER;
    float n = t - ROUNDER - shift;
    float r = fused(n, -PI_2, fused(n, -PI_1, x));
    return short_sin(with_sign_bit(r, as_uint(t) & 1));
}
OVERLOAD float __relaxed_sin(float x) { return small_sin(x, x * INVERSE_PI, 0); }
OVERLOAD float __relaxed_cos(float x) { return small_sin(x, x * INVERSE_PI + 0.5f, 0.5f); }
OVERLOAD float __relaxed_tan(float x) { return __relaxed_sin(x) / __relaxed_cos(x); }
OVERLOAD float __relaxed_sincos(float x, private float *cosine) {
    *cosine = __relaxed_cos(x);
    return __relaxed_sin(x);
}

EACH_VECTOR(MAP_1, __relaxed_log, float, float)
EACH_VECTOR(MAP_1, __relaxed_log2, float, float)
EACH_VECTOR(MAP_1, __relaxed_log10, float, float)
EACH_VECTOR(MAP_1, __relaxed_sin, float, float)
EACH_VECTOR(MAP_1, __relaxed_cos, float, float)
EACH_VECTOR(MAP_1, __relaxed_tan, float, float)
EACH_VECTOR(MAP_2, __relaxed_powr, float, float, float)
EACH_VECTOR(MAP_2, __relaxed_pow, float, float, float)
EACH_VECTOR(MAP_2, __relaxed_pown, float, float, int)
EACH_VECTOR(MAP_2, __relaxed_rootn, float, float, int)
EACH_VECTOR(MAP_OUT, __relaxed_sincos, float, float, private)
EACH_OTHER_SPACE(MAP_OUT_SCALAR_AND_VECTORS, __relaxed_sincos, float, float)
