/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.12: shuffle and shuffle2, with masks known only at run time. */
#include "builtin.h"

/* Only the low bits of a mask component count; both vectors of shuffle2 are numbered through. */
#define SHUFFLE(n, T, U, m)                                                                        \
    OVERLOAD T##n shuffle(T##m x, U##n mask) {                                                     \
        T##n result;                                                                               \
        _Pragma("unroll") for (int i = 0; i < n; ++i) result[i] = x[mask[i] & (m - 1)];            \
        return result;                                                                             \
    }                                                                                              \
    OVERLOAD T##n shuffle2(T##m x, T##m y, U##n mask) {                                            \
        T##n result;                                                                               \
        _Pragma("unroll") for (int i = 0; i < n; ++i) {                                            \
            T first = x[mask[i] & (m - 1)], second = y[mask[i] & (m - 1)];                         \
            result[i] = mask[i] & m ? second : first;                                              \
        }                                                                                          \
        return result;                                                                             \
    }
#define EACH_RESULT(F, T, U, S, ...)                                                               \
    F(2, T, U, 2) F(4, T, U, 2) F(8, T, U, 2) F(16, T, U, 2)                                       \
    F(2, T, U, 4) F(4, T, U, 4) F(8, T, U, 4) F(16, T, U, 4)                                       \
    F(2, T, U, 8) F(4, T, U, 8) F(8, T, U, 8) F(16, T, U, 8)                                       \
    F(2, T, U, 16) F(4, T, U, 16) F(8, T, U, 16) F(16, T, U, 16)
EACH_TYPE(EACH_RESULT, SHUFFLE)
