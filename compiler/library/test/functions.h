// SPDX-License-Identifier: Apache-2.0
// The functions under test: one table for all floating types, with the limits of the full profile
// (7.4; those of 6.12.4 as OpenCL 3.0 has them; lgamma, mix and smoothstep have none there: own).
// F1(name, ulps, low, high): low … high is where the interesting values lie. Names with a part
// behind them (fract_floor) are of parts.cl.
#ifndef RIVULET_LIBRARY_TEST_FUNCTIONS_H
#define RIVULET_LIBRARY_TEST_FUNCTIONS_H

#define RVL_FUNCTIONS_1(F1)                                                                        \
    F1(acos, 4, -1, 1)                                                                             \
    F1(acosh, 4, 1, 1e10)                                                                          \
    F1(acospi, 5, -1, 1)                                                                           \
    F1(asin, 4, -1, 1)                                                                             \
    F1(asinh, 4, -100, 100)                                                                        \
    F1(asinpi, 5, -1, 1)                                                                           \
    F1(atan, 5, -10, 10)                                                                           \
    F1(atanh, 5, -1, 1)                                                                            \
    F1(atanpi, 5, -10, 10)                                                                         \
    F1(cbrt, 2, -10, 10)                                                                           \
    F1(ceil, 0, -100, 100)                                                                         \
    F1(cos, 4, -100, 100)                                                                          \
    F1(cosh, 4, -90, 90)                                                                           \
    F1(cospi, 4, -10, 10)                                                                          \
    F1(erf, 16, -5, 5)                                                                             \
    F1(erfc, 16, -5, 11)                                                                           \
    F1(exp, 3, -110, 90)                                                                           \
    F1(exp10, 3, -46, 39)                                                                          \
    F1(exp2, 3, -151, 129)                                                                         \
    F1(expm1, 3, -20, 90)                                                                          \
    F1(fabs, 0, -100, 100)                                                                         \
    F1(floor, 0, -100, 100)                                                                        \
    F1(fract_floor, 0, -100, 100)                                                                  \
    F1(fract_rest, 0.5, -100, 100)                                                                 \
    F1(frexp_exponent, 0, -100, 100)                                                               \
    F1(frexp_fraction, 0, -100, 100)                                                               \
    F1(ilogb_bounded, 0, -100, 100)                                                                \
    F1(lgamma, 64, -50, 40)                                                                        \
    F1(lgamma_r_logarithm, 64, -50, 40)                                                            \
    F1(lgamma_r_sign, 0, -50, 40)                                                                  \
    F1(log, 3, 0, 10)                                                                              \
    F1(log10, 3, 0, 10)                                                                            \
    F1(log1p, 2, -1, 10)                                                                           \
    F1(log2, 3, 0, 10)                                                                             \
    F1(logb, 0, 0, 10)                                                                             \
    F1(modf_integral, 0, -100, 100)                                                                \
    F1(modf_rest, 0, -100, 100)                                                                    \
    F1(nan_any, 0, -100, 100)                                                                      \
    F1(rint, 0, -100, 100)                                                                         \
    F1(round, 0, -100, 100)                                                                        \
    F1(rsqrt, 2, 0, 10)                                                                            \
    F1(sin, 4, -100, 100)                                                                          \
    F1(sincos_cosine, 4, -100, 100)                                                                \
    F1(sincos_sine, 4, -100, 100)                                                                  \
    F1(sinh, 4, -90, 90)                                                                           \
    F1(sinpi, 4, -10, 10)                                                                          \
    F1(sqrt, 0.5, 0, 10)                                                                           \
    F1(tan, 5, -100, 100)                                                                          \
    F1(tanh, 5, -10, 10)                                                                           \
    F1(tanpi, 6, -10, 10)                                                                          \
    F1(tgamma, 16, -50, 40)                                                                        \
    F1(trunc, 0, -100, 100)

#define RVL_FUNCTIONS_2(F2)                                                                        \
    F2(atan2, 6, -10, 10)                                                                          \
    F2(atan2pi, 6, -10, 10)                                                                        \
    F2(fdim, 0.5, -10, 10)                                                                         \
    F2(fmax, 0, -10, 10)                                                                           \
    F2(fmin, 0, -10, 10)                                                                           \
    F2(fmod, 0, -100, 100)                                                                         \
    F2(hypot, 4, -10, 10)                                                                          \
    F2(maxmag, 0, -10, 10)                                                                         \
    F2(minmag, 0, -10, 10)                                                                         \
    F2(nextafter, 0, -10, 10)                                                                      \
    F2(pow, 16, -20, 20)                                                                           \
    F2(powr, 16, 0, 20)                                                                            \
    F2(remainder, 0, -100, 100)                                                                    \
    F2(remquo_quotient, 0, -100, 100)                                                              \
    F2(remquo_remainder, 0, -100, 100)

#define RVL_FUNCTIONS_3(F3)                                                                        \
    F3(fma, 0.5, -10, 10)                                                                          \
    F3(mad, 0.5, -10, 10)

// The second argument is an int.
#define RVL_FUNCTIONS_INT(FI)                                                                      \
    FI(ldexp, 0.5, -10, 10)                                                                        \
    FI(pown, 16, -10, 10)                                                                          \
    FI(rootn, 16, -10, 10)

// Their arguments are from low … high only, and half is computed in half.
#define RVL_LIMITED_1(F1)                                                                          \
    F1(degrees, 2, -1000, 1000)                                                                    \
    F1(radians, 2, -1000, 1000)                                                                    \
    F1(sign, 0, -1, 1)

#define RVL_LIMITED_2(F2)                                                                          \
    F2(copysign, 0, -10, 10)                                                                       \
    F2(max, 0, -10, 10)                                                                            \
    F2(min, 0, -10, 10)                                                                            \
    F2(step, 0, -10, 10)

#define RVL_LIMITED_3(F3)                                                                          \
    F3(clamp, 0, -10, 10)                                                                          \
    F3(mix, 2, -10, 10)                                                                            \
    F3(smoothstep, 8, -10, 10)

// Table 6.9, for float only. native_ functions that take more than an instruction are held to what
// their polynomials give, for arguments and results that are normal and small. Near zeros of sin an
// error of its argument is many ulps.
#define RVL_HALF_AND_NATIVE_1(F1)                                                                  \
    F1(recip, 8192, -10, 10)                                                                       \
    F1(rsqrt, 8192, 0, 10)                                                                         \
    F1(sqrt, 8192, 0, 10)

#define RVL_HALF_AND_NATIVE_2(F2) F2(divide, 8192, -10, 10)

#define RVL_HALF_1(F1)                                                                             \
    F1(half_exp, 8192, -110, 90)                                                                   \
    F1(half_exp10, 8192, -46, 39)                                                                  \
    F1(half_exp2, 8192, -151, 129)                                                                 \
    F1(half_log, 8192, 0, 10)                                                                      \
    F1(half_log10, 8192, 0, 10)                                                                    \
    F1(half_log2, 8192, 0, 10)

#define RVL_HALF_2(F2) F2(half_powr, 8192, 0, 20)

#define RVL_HALF_LIMITED(F1)                                                                       \
    F1(half_cos, 8192, -65536, 65536)                                                              \
    F1(half_sin, 8192, -65536, 65536)                                                              \
    F1(half_tan, 8192, -65536, 65536)

#define RVL_NATIVE_LIMITED(F1)                                                                     \
    F1(native_cos, 8192, -8192, 8192)                                                              \
    F1(native_exp, 16, -87.3, 88.7)                                                                \
    F1(native_exp10, 128, -37.9, 38.5)                                                             \
    F1(native_exp2, 16, -126, 127.9)                                                               \
    F1(native_log, 16, 0x1p-126, 10)                                                               \
    F1(native_log10, 16, 0x1p-126, 10)                                                             \
    F1(native_log2, 16, 0x1p-126, 10)                                                              \
    F1(native_sin, 8192, -8192, 8192)                                                              \
    F1(native_tan, 8192, -8192, 8192)

#define RVL_NATIVE_LIMITED_2(F2) F2(native_powr, 512, 0x1p-6, 20)

#endif
