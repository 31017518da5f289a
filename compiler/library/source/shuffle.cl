/* SPDX-License-Identifier: Apache-2.0 */
/* 6.12.12: shuffle and shuffle2, with masks known only at run time. */
#include "builtin.h"

/* Only the low bits of a mask component count; shuffle2 numbers the components of both vectors
 * consecutively. A few components are selected in registers. If there are too many for the
 * registers, one is read from memory: selecting takes a comparison and a merge for each
 * component, and reloads of spilled ones. */
#define FROM_REGISTERS(n, T, U, m)                                                                 \
    OVERLOAD T##n shuffle(T##m x, U##n mask) {                                                     \
        T##n result;                                                                               \
        _Pragma("unroll") for (int i = 0; i < n; ++i) result[i] = x[mask[i] & (m - 1)];            \
        return result;                                                                             \
    }
#define FROM_REGISTERS_2(n, T, U, m)                                                               \
    OVERLOAD T##n shuffle2(T##m x, T##m y, U##n mask) {                                            \
        T##n result;                                                                               \
        _Pragma("unroll") for (int i = 0; i < n; ++i) {                                            \
            T first = x[mask[i] & (m - 1)], second = y[mask[i] & (m - 1)];                         \
            result[i] = mask[i] & m ? second : first;                                              \
        }                                                                                          \
        return result;                                                                             \
    }
#define FROM_MEMORY(n, T, U, m)                                                                    \
    OVERLOAD T##n shuffle(T##m x, U##n mask) {                                                     \
        T##n result;                                                                               \
        T all[m];                                                                                  \
        _Pragma("unroll") for (int i = 0; i < m; ++i) all[i] = x[i];                               \
        _Pragma("unroll") for (int i = 0; i < n; ++i) result[i] = all[mask[i] & (m - 1)];          \
        return result;                                                                             \
    }
#define FROM_MEMORY_2(n, T, U, m)                                                                  \
    OVERLOAD T##n shuffle2(T##m x, T##m y, U##n mask) {                                            \
        T##n result;                                                                               \
        T all[2 * m];                                                                              \
        _Pragma("unroll") for (int i = 0; i < m; ++i) all[i] = x[i], all[m + i] = y[i];            \
        _Pragma("unroll") for (int i = 0; i < n; ++i) result[i] = all[mask[i] & (2 * m - 1)];      \
        return result;                                                                             \
    }
#define EACH_RESULT(F, T, U, m) F(2, T, U, m) F(4, T, U, m) F(8, T, U, m) F(16, T, U, m)
#define SHUFFLES(EACH, T, U, S, ...)                                                               \
    EACH(FROM_REGISTERS, T, U, 2)                                                                  \
    EACH(FROM_REGISTERS_2, T, U, 2)                                                                \
    EACH(FROM_REGISTERS, T, U, 4)                                                                  \
    EACH(FROM_REGISTERS_2, T, U, 4)                                                                \
    EACH(FROM_REGISTERS, T, U, 8)                                                                  \
    EACH(FROM_MEMORY_2, T, U, 8)                                                                   \
    EACH(FROM_MEMORY, T, U, 16)                                                                    \
    EACH(FROM_MEMORY_2, T, U, 16)
EACH_TYPE(SHUFFLES, EACH_RESULT)
