// SPDX-License-Identifier: Apache-2.0
// The functions of 6.12.3 for a type T and its unsigned type U, as C++ declares them.
#ifndef RIVULET_LIBRARY_TEST_INTEGER_H
#define RIVULET_LIBRARY_TEST_INTEGER_H

using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;

// The library's functions, which mangle as C++ functions do. (char is OpenCL C's signed char.)
#define DECLARE_INTEGER_FUNCTIONS(T, U)                                                            \
    T add_sat(T, T);                                                                               \
    T sub_sat(T, T);                                                                               \
    T hadd(T, T);                                                                                  \
    T rhadd(T, T);                                                                                 \
    U abs_diff(T, T);                                                                              \
    T clz(T);                                                                                      \
    T ctz(T);                                                                                      \
    T popcount(T);                                                                                 \
    T mul_hi(T, T);                                                                                \
    T mad_hi(T, T, T);                                                                             \
    T mad_sat(T, T, T);                                                                            \
    T rotate(T, T);                                                                                \
    T max(T, T);                                                                                   \
    T min(T, T);                                                                                   \
    T clamp(T, T, T);                                                                              \
    T bit_reverse(T);

#endif
