/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.2 for float: exponentials and logarithms. */
#include "float.h"

OVERLOAD float exp(float x) {
    int k;
    float p = exp_parts(clamped(x, -105.0f, 90.0f), &k);
    return scaled(p, k);
}
OVERLOAD float exp2(float x) { return exp2_sum(x, 0.0f); }

OVERLOAD float exp10(float x) {
    x = clamped(x, -46.0f, 39.0f);
    float t = fused(x, 0x1.a934fp1f, ROUNDER);
    float n = t - ROUNDER;
    float r = fused(n, 0x1.ec10cp-27f, fused(n, -0x1.344136p-2f, x));
    /* 10^r on ±log10(2)/2: 2^-28 */
    float p = poly5(r, 0x1.26bb1cp1f, 0x1.535248p1f, 0x1.046f9ap1f, 0x1.2bdbdap0f, 0x1.156bbcp-1f,
                    0x1.a4985p-3f);
    return scaled(fused(p, r, 1.0f), as_int(t) - as_int(ROUNDER));
}

OVERLOAD float expm1(float x) {
    return signed_as(expm1_core(x > 88.9f ? 88.9f : x), x);
}

OVERLOAD float log(float x) { return log_domain(x, log_core(x)); }

OVERLOAD float log2(float x) {
    float m;
    float e = split(x, 0x3f3504f3, &m);
    float f = m - 1.0f; /* log2(1 + f) / f on [√½ - 1, √2 - 1]: 2^-27.6 */
    float p = poly7(f, 0x1.ec7094p-2f, -0x1.715acap-2f, 0x1.277ef8p-2f, -0x1.eab1p-3f,
                    0x1.a2e548p-3f, -0x1.877e78p-3f, 0x1.7e193ap-3f, -0x1.c3715cp-4f);
    p = fused(fused(p, f, -0x1.71547p-1f), f, 0x1.4ae0cp-26f);
    return log_domain(x, e + fused(f, 0x1.715476p0f, f * p));
}

OVERLOAD float log10(float x) {
    float m;
    float e = split(x, 0x3f3504f3, &m);
    float f = m - 1.0f; /* log10(1 + f) / f on [√½ - 1, √2 - 1]: 2^-27.7 */
    float p = poly7(f, 0x1.287a72p-3f, -0x1.bcbf2cp-4f, 0x1.63cf3cp-4f, -0x1.276f02p-4f,
                    0x1.f883e6p-5f, -0x1.d7682ep-5f, 0x1.cb6e48p-5f, -0x1.0effb6p-5f);
    p = fused(fused(p, f, -0x1.bcb7aap-3f), f, -0x1.5b235ep-27f);
    p = fused(f, 0x1.bcb7b2p-2f, f * p);
    return log_domain(x, fused(e, 0x1.344136p-2f, fused(e, -0x1.ec10cp-27f, p)));
}

/* The domain of 1 + x, and tiny x as they are (-0 too). */
OVERLOAD float log1p(float x) {
    float result = x < INFINITY ? log1p_core(x) : x;
    result = x < -1.0f ? NAN : x == -1.0f ? -INFINITY : result;
    return magnitude(x) < 0x1p-30f ? x : result;
}

#define HALF_AND_NATIVE(f)                                                                         \
    OVERLOAD float half_##f(float x) { return f(x); }                                              \
    OVERLOAD float native_##f(float x) { return f(x); }                                            \
    EACH_VECTOR(MAP_1, f, float, float)                                                            \
    EACH_VECTOR(MAP_1, half_##f, float, float)                                                     \
    EACH_VECTOR(MAP_1, native_##f, float, float)
HALF_AND_NATIVE(exp)
HALF_AND_NATIVE(exp2)
HALF_AND_NATIVE(exp10)
HALF_AND_NATIVE(log)
HALF_AND_NATIVE(log2)
HALF_AND_NATIVE(log10)
EACH_VECTOR(MAP_1, expm1, float, float)
EACH_VECTOR(MAP_1, log1p, float, float)
