/* SPDX-License-Identifier: Apache-2.0 */
/* cl_rivulet_subgroup_matrix_multiply_accumulate: M x K times K x N plus M x N. Each of the N
 * work-items has a column of b, acc and the result, and K / N elements of each row of a. A row's
 * elements are scalars to all lanes, so that a row of the result takes K multiply-adds of vectors.
 */
#include "sub_group.h"

typedef __bf16 bfloat;

#define EACH_ROWS(F, ...) F(, __VA_ARGS__) F(2, __VA_ARGS__) F(4, __VA_ARGS__) F(8, __VA_ARGS__)

/* Word j of a row of a: 32 bits of each of 8 work-items, or 16 of each of 16. */
INLINE uint word_of_int(int a, uint j) { return (uint)sub_group_broadcast(a, j); }
INLINE uint word_of_short(short a, uint j) {
    return (ushort)sub_group_broadcast(a, 2 * j) | (uint)(ushort)sub_group_broadcast(a, 2 * j + 1)
                                                       << 16;
}
INLINE uint word_of_uint(uint a, uint j) { return word_of_int((int)a, j); }
INLINE uint word_of_ushort(ushort a, uint j) { return word_of_short((short)a, j); }

#define ADD_FLOATS(name, T)                                                                        \
    INLINE float add_##name(uint a, uint b, float sum) {                                           \
        sum =                                                                                      \
            __builtin_elementwise_fma((float)AS(, (ushort)a, T), (float)AS(, (ushort)b, T), sum);  \
        return __builtin_elementwise_fma((float)AS(, (ushort)(a >> 16), T),                        \
                                         (float)AS(, (ushort)(b >> 16), T), sum);                  \
    }
ADD_FLOATS(f16_f16, half)
ADD_FLOATS(bf16_bf16, bfloat)

OVERLOAD int dot_4x8packed_ss_int(uint a, uint b);
OVERLOAD int dot_4x8packed_su_int(uint a, uint b);
OVERLOAD int dot_4x8packed_us_int(uint a, uint b);
OVERLOAD uint dot_4x8packed_uu_uint(uint a, uint b);
INLINE int add_i8_i8(uint a, uint b, int sum) { return sum + dot_4x8packed_ss_int(a, b); }
INLINE int add_i8_u8(uint a, uint b, int sum) { return sum + dot_4x8packed_su_int(a, b); }
INLINE int add_u8_i8(uint a, uint b, int sum) { return sum + dot_4x8packed_us_int(a, b); }
INLINE int add_u8_u8(uint a, uint b, int sum) { return sum + (int)dot_4x8packed_uu_uint(a, b); }

#define MATRIX_MAD(n, name, k, A, B, R)                                                            \
    R##n CONVERGENT intel_sub_group_##name##_matrix_mad_##k(A##n a, B##8 b, R##n acc) {            \
        _Pragma("unroll") for (uint j = 0; j < 8; ++j) {                                           \
            EACH_PART(n) {                                                                         \
                PART(n, acc) = add_##name(word_of_##A(PART(n, a), j), (uint)b[j], PART(n, acc));   \
            }                                                                                      \
        }                                                                                          \
        return acc;                                                                                \
    }
EACH_ROWS(MATRIX_MAD, f16_f16, k16, int, int, float)
EACH_ROWS(MATRIX_MAD, bf16_bf16, k16, int, int, float)
EACH_ROWS(MATRIX_MAD, i8_i8, k32, int, int, int)
EACH_ROWS(MATRIX_MAD, i8_u8, k32, int, uint, int)
EACH_ROWS(MATRIX_MAD, u8_i8, k32, uint, int, int)
EACH_ROWS(MATRIX_MAD, u8_u8, k32, uint, uint, int)
EACH_ROWS(MATRIX_MAD, f16_f16, k16, short, int, float)
EACH_ROWS(MATRIX_MAD, bf16_bf16, k16, short, int, float)
EACH_ROWS(MATRIX_MAD, i8_i8, k32, short, int, int)
EACH_ROWS(MATRIX_MAD, i8_u8, k32, short, uint, int)
EACH_ROWS(MATRIX_MAD, u8_i8, k32, ushort, int, int)
EACH_ROWS(MATRIX_MAD, u8_u8, k32, ushort, uint, int)
