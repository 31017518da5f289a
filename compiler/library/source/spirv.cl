/* SPDX-License-Identifier: Apache-2.0
 * Instructions of SPIR-V that OpenCL C has under another name, as llvm-spirv 15 calls them, or that
 * spirv_rewriter.cpp makes calls of. */
#include "builtin.h"

/* Defined in integer.cl. */
OVERLOAD int dot(char4, char4);
OVERLOAD uint dot(uchar4, uchar4);
OVERLOAD int dot(char4, uchar4);

/* SPV_KHR_integer_dot_product. SPIR-V integers have no sign and are passed as signed; there is
 * only one packed format. If the sum does not fit in R, it is undefined. */
#define DOT(op, R, S, A, B)                                                                        \
    OVERLOAD R __spirv_##op##KHR_R##R(char4 a, char4 b) {                                          \
        return (R)dot(__builtin_astype(a, A##4), __builtin_astype(b, B##4));                       \
    }                                                                                              \
    OVERLOAD R __spirv_##op##KHR_R##R(int a, int b, int packing) {                                 \
        return (R)dot(__builtin_astype(a, A##4), __builtin_astype(b, B##4));                       \
    }                                                                                              \
    OVERLOAD R __spirv_##op##AccSatKHR_R##R(char4 a, char4 b, S c) {                               \
        return add_sat((R)dot(__builtin_astype(a, A##4), __builtin_astype(b, B##4)), (R)c);        \
    }                                                                                              \
    OVERLOAD R __spirv_##op##AccSatKHR_R##R(int a, int b, S c, int packing) {                      \
        return add_sat((R)dot(__builtin_astype(a, A##4), __builtin_astype(b, B##4)), (R)c);        \
    }
#define DOTS(S)                                                                                    \
    OVERLOAD S add_sat(S, S);                                                                      \
    OVERLOAD u##S add_sat(u##S, u##S);                                                             \
    DOT(SDot, S, S, char, char)                                                                    \
    DOT(UDot, u##S, S, uchar, uchar)                                                               \
    DOT(SUDot, S, S, char, uchar)
DOTS(char)
DOTS(short)
DOTS(int)
DOTS(long)

/* SPV_EXT_shader_atomic_float_add and their like. Of the memory semantics only the order counts. */
#define ATOMIC(name, space, T)                                                                     \
    OVERLOAD T __rivulet_atomic_##name(space T *p, uint semantics, T value) {                      \
        const int order = semantics & 16  ? __ATOMIC_SEQ_CST                                       \
                          : semantics & 8 ? __ATOMIC_ACQ_REL                                       \
                          : semantics & 4 ? __ATOMIC_RELEASE                                       \
                          : semantics & 2 ? __ATOMIC_ACQUIRE                                       \
                                          : __ATOMIC_RELAXED;                                      \
        return __atomic_fetch_##name(p, value, order);                                             \
    }
#define ATOMICS(space, T) ATOMIC(add, space, T) ATOMIC(min, space, T) ATOMIC(max, space, T)
#define ATOMICS_OF(T) ATOMICS(global, T) ATOMICS(local, T) ATOMICS(generic, T)
ATOMICS_OF(half)
ATOMICS_OF(float)
ATOMICS_OF(double)

/* Rounds to the precision of half: values below its normal numbers become zero, values above its
 * largest number infinite. */
#define QUANTIZE(n, _)                                                                             \
    OVERLOAD float##n __rivulet_quantize_to_f16(float##n x) {                                      \
        const uint##n bits = __builtin_astype(x, uint##n), size = bits & 0x7fffffff;               \
        const uint##n rounded = (size + 0xfff + (size >> 13 & 1)) & ~0x1fffu;                      \
        const uint##n finite = size < 0x38800000 ? (uint##n)0 : rounded;                           \
        const uint##n number = finite >= 0x47800000 ? (uint##n)0x7f800000 : finite;                \
        return __builtin_astype((size > 0x7f800000 ? size : number) | (bits & 0x80000000),         \
                                float##n);                                                         \
    }
EACH_WIDTH(QUANTIZE, _)
