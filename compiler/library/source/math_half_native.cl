/* SPDX-License-Identifier: Apache-2.0 */
/* Table 6.9: half_ and native_ functions that are more than an instruction or two.
 *
 * half_ functions take all arguments; errors up to 8192 ulps (2^-11) are allowed, which shorter
 * polynomials keep. How exact native_ functions are is left open. Programs were written with GPUs,
 * where about 2^-21 is usual, and transforms of signals fail with much less, so their polynomials
 * are as exact. What they save is special cases: they expect finite arguments, take denormals as
 * 0, and give the smallest normal number where a power would be less. */
#include "real.h"

/* ---- exponentials ---- */

/* By even powers of two, see exp: 2^r on ±1: 2^-13.3 */
OVERLOAD float half_exp2(float x) {
    x = x < -160.0f ? -160.0f : x;
    const float rounder = 2 * ROUNDER + 2 * BIAS;
    float t = at_most(x, 132.0f) + rounder;
    float r = x - (t - rounder);
    float half_power = as_float(as_uint(t) << 23);
    float p = POLY(r, 1.0f, 0x1.62bc7cp-1f, 0x1.ec7c92p-3f, 0x1.d33ddp-5f, 0x1.35dd9ap-7f);
    return never_negative(p * half_power * half_power);
}
OVERLOAD float half_exp(float x) { return half_exp2(x * LOG2_E); }
OVERLOAD float half_exp10(float x) { return half_exp2(x * LOG2_10); }

/* From the smallest normal number to the largest. 2^r on ±½: 2^-23.4 */
OVERLOAD float native_exp2(float x) {
    x = __builtin_elementwise_minnum(__builtin_elementwise_maxnum(x, -126.0f), 0x1.fffffep6f);
    float t = x + ROUNDER;
    float r = x - (t - ROUNDER);
    float p = POLY(r, 1.0f, 0x1.62e42ap-1f, 0x1.ebf9bcp-3f, 0x1.c6b752p-5f, 0x1.3cea88p-7f,
                   0x1.5bba14p-10f);
    return as_float(as_uint(p) + (as_uint(t) << 23));
}
/* The same: e^r = 1 + r + r² p on ±ln2/2: 2^-23.2. Between multiples of ln2 instead of from
 * x log2(e), whose rounding would be many ulps of the result, and in an instruction less. */
OVERLOAD float native_exp(float x) {
    x = __builtin_elementwise_minnum(__builtin_elementwise_maxnum(x, -0x1.5d58ap6f), 0x1.62e42ep6f);
    float t = x * LOG2_E + ROUNDER;
    float r = fused(t - ROUNDER, -0x1.62e43p-1f, x);
    float square = r * r;
    float p = r * 0x1.106252p-7f + 0x1.572a64p-5f;
    p = fused(r, 0x1.5557bp-3f, p * square) + 0x1.fffdfcp-2f;
    float e = fused(square, p, r) + 1.0f;
    return as_float(as_uint(e) + (as_uint(t) << 23));
}
OVERLOAD float native_exp10(float x) { return native_exp2(x * LOG2_10); }

/* ---- logarithms ---- */

#define ROOT_HALF 0x1.6a09e6p-1f

/* log2(1 + f) / f on [√½ - 1, √2 - 1]: 2^-11.4 */
INLINE float short_log2(float f) {
    return POLY(f, 0x1.7138a2p0f, -0x1.72d70cp-1f, 0x1.05c58ap-1f, -0x1.4fa322p-2f);
}
/* The same: 2^-22.5 */
INLINE float exact_log2(float f) {
    return POLY(f, 0x1.715474p0f, -0x1.715528p-1f, 0x1.ec7724p-2f, -0x1.70e2a8p-2f, 0x1.25fd34p-2f,
                -0x1.fdb328p-3f, 0x1.df5198p-3f, -0x1.2a9f4cp-3f);
}
/* The same: 2^-19.8, as half_powr needs it */
INLINE float longer_log2(float f) {
    return POLY(f, 0x1.71548ep0f, -0x1.71568ep-1f, 0x1.ec294ap-2f, -0x1.70001ep-2f, 0x1.2ecf22p-2f,
                -0x1.13c03p-2f, 0x1.5f4db6p-3f);
}
/* log(1 + f) = f + f² result on the same: 2^-22 */
INLINE float log_rest(float f) {
    return POLY(f, -0x1.0000a8p-1f, 0x1.55566ap-2f, -0x1.ff31a2p-3f, 0x1.986a0ep-3f, -0x1.64e1bp-3f,
                0x1.45b822p-3f, -0x1.73be9cp-4f);
}

/* split_any for half_ functions. 6.12.2: they may give what 7.5.3 allows where denormals are
 * flushed, so these count as zeros, which need no scaling. */
INLINE float split_flushing(float x, float *m) {
    float e = split_normal(x, ROOT_HALF, m);
    e = x <= LARGEST ? e : x;
    e = x < SMALLEST_NORMAL ? -INFINITY : e;
    return x < 0 ? NAN : e;
}
OVERLOAD float half_log2(float x) {
    float m, e = split_flushing(x, &m), f = m - 1.0f;
    return fused(f, short_log2(f), e);
}
OVERLOAD float half_log(float x) { return half_log2(x) * LN_2; }
OVERLOAD float half_log10(float x) { return half_log2(x) * LOG10_2; }

INLINE float flushed(float x, float result) { return x < SMALLEST_NORMAL ? -INFINITY : result; }
OVERLOAD float native_log2(float x) {
    float m, e = split_normal(x, ROOT_HALF, &m), f = m - 1.0f;
    return flushed(x, fused(f, exact_log2(f), e));
}
/* Not by way of log2: the polynomial of log begins with 1, which needs no instruction. */
OVERLOAD float native_log(float x) {
    float m, e = split_normal(x, ROOT_HALF, &m), f = m - 1.0f;
    return flushed(x, fused(e, LN_2, fused(f * f, log_rest(f), f)));
}
OVERLOAD float native_log10(float x) { return native_log(x) * 0x1.bcb7b2p-2f; }

/* ---- powers: errors of the logarithm grow with the logarithm of the result, up to 128 ---- */

OVERLOAD float half_powr(float x, float y) {
    float m, e = split_flushing(x, &m), f = m - 1.0f;
    return half_exp2(y * fused(f, longer_log2(f), e));
}
OVERLOAD float native_powr(float x, float y) { return native_exp2(y * native_log2(x)); }

/* ---- circular functions ---- */

/* x - n units of π. x is at most 2^16: beyond that any result is allowed, and what is left of large
 * angles is 0, of infinities and NaN it is NaN. With two parts of π half_cos(52516.4336) would be
 * off by 33,263 ulps. */
INLINE float half_rest(float x, float n, float unit) {
    float r = fused(n, -unit * PI_3, fused(n, -unit * PI_2, fused(n, -unit * PI_1, x)));
    return magnitude(r) > 2 ? 0.0f : r;
}

/* sin(r) on ±π/2: 2^-13.2 */
INLINE float half_sin_shifted(float x, float shift) {
    float t = x * INVERSE_PI + shift + ROUNDER;
    float r = half_rest(x, t - ROUNDER - shift, 1);
    r = with_sign_bit(r, as_uint(t) & 1);
    return r * POLY(r * r, 0x1.fff1d8p-1f, -0x1.53e30ap-3f, 0x1.f24502p-8f);
}
OVERLOAD float half_sin(float x) { return half_sin_shifted(x, 0.0f); }
OVERLOAD float half_cos(float x) { return half_sin_shifted(x, 0.5f); }

/* Angles are small, up to 2^13: two parts of π, the second rounded to nearest. */
#define PI_REST 0x1.4442d2p-23f
INLINE float native_rest(float x, float n, float unit) {
    return fused(n, -unit * PI_REST, fused(n, -unit * PI_1, x));
}

/* sin(r) on ±π/2: 2^-27.5 */
INLINE float native_sin_shifted(float x, float shift) {
    float t = x * INVERSE_PI + shift + ROUNDER;
    float r = native_rest(x, t - ROUNDER - shift, 1);
    r = with_sign_bit(r, as_uint(t) & 1);
    return r *
           POLY(r * r, 1.0f, -0x1.555548p-3f, 0x1.110e7ap-7f, -0x1.9f6432p-13f, 0x1.5d37a6p-19f);
}
OVERLOAD float native_sin(float x) { return native_sin_shifted(x, 0.0f); }
OVERLOAD float native_cos(float x) { return native_sin_shifted(x, 0.5f); }

/* The tangent of r + n π/2, of which t says n by its last bit, and p is tan(r) / r. */
INLINE float tan_of_quarter(float r, float p, float t) {
    const float tangent = r * p;
    const bool odd = as_uint(t) & 1;
    return (odd ? -1.0f : tangent) / (odd ? tangent : 1.0f);
}
/* tan(r) / r on ±π/4: 2^-14.4 */
OVERLOAD float half_tan(float x) {
    float t = fused(x, 2 * INVERSE_PI, ROUNDER);
    float r = half_rest(x, t - ROUNDER, 0.5f);
    float p = POLY(r * r, 0x1.fffa36p-1f, 0x1.57a372p-2f, 0x1.db0038p-4f, 0x1.819b6ap-4f);
    return tan_of_quarter(r, p, t);
}
/* The same: 2^-21.9 */
OVERLOAD float native_tan(float x) {
    float t = fused(x, 2 * INVERSE_PI, ROUNDER);
    float r = native_rest(x, t - ROUNDER, 0.5f);
    float p = POLY(r * r, 1.0f, 0x1.555a2p-2f, 0x1.1039f8p-3f, 0x1.d22d98p-5f, 0x1.a9621cp-7f,
                   0x1.49af1cp-6f);
    return tan_of_quarter(r, p, t);
}

#define HALF_AND_NATIVE(f)                                                                         \
    EACH_VECTOR(MAP_1, half_##f, float, float)                                                     \
    EACH_VECTOR(MAP_1, native_##f, float, float)
HALF_AND_NATIVE(exp)
HALF_AND_NATIVE(exp2)
HALF_AND_NATIVE(exp10)
HALF_AND_NATIVE(log)
HALF_AND_NATIVE(log2)
HALF_AND_NATIVE(log10)
HALF_AND_NATIVE(sin)
HALF_AND_NATIVE(cos)
HALF_AND_NATIVE(tan)
EACH_VECTOR(MAP_2, half_powr, float, float, float)
EACH_VECTOR(MAP_2, native_powr, float, float, float)
