// SPDX-License-Identifier: Apache-2.0
// The math functions under test: one table for float and double, with table 7.1's limits of the
// full profile. F1(name, ulps, low, high): low … high is where the interesting values lie.
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
    F1(log, 3, 0, 10)                                                                              \
    F1(log10, 3, 0, 10)                                                                            \
    F1(log1p, 2, -1, 10)                                                                           \
    F1(log2, 3, 0, 10)                                                                             \
    F1(logb, 0, 0, 10)                                                                             \
    F1(rint, 0, -100, 100)                                                                         \
    F1(round, 0, -100, 100)                                                                        \
    F1(rsqrt, 2, 0, 10)                                                                            \
    F1(sin, 4, -100, 100)                                                                          \
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
    F2(pow, 16, -20, 20)                                                                           \
    F2(powr, 16, 0, 20)                                                                            \
    F2(remainder, 0, -100, 100)

#define RVL_FUNCTIONS_3(F3) F3(fma, 0.5, -10, 10)

// The second argument is an int.
#define RVL_FUNCTIONS_INT(FI)                                                                      \
    FI(ldexp, 0.5, -10, 10)                                                                        \
    FI(pown, 16, -10, 10)                                                                          \
    FI(rootn, 16, -10, 10)

#endif
