/* SPDX-License-Identifier: Apache-2.0
 *
 * Every source of the built-in library includes this: macros that write a function once and
 * define it for every type and width.
 *
 *   F(n, …)   a generator: `T##n` is the type with n components; n is empty for scalars
 *
 * Two ways to a vector function:
 *   - an expression that means the same for scalars and vectors is written directly over T##n;
 *   - anything longer is written for scalars, and MAP_… applies it to each component. The
 *     compiler takes vectors apart anyway before it vectorises over work-items.
 */
#ifndef RIVULET_LIBRARY_BUILTIN_H
#define RIVULET_LIBRARY_BUILTIN_H

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define OVERLOAD __attribute__((overloadable))
#define INLINE static inline __attribute__((always_inline))

#define EACH_VECTOR(F, ...)                                                                        \
    F(2, __VA_ARGS__) F(3, __VA_ARGS__) F(4, __VA_ARGS__) F(8, __VA_ARGS__) F(16, __VA_ARGS__)
#define EACH_WIDTH(F, ...) F(, __VA_ARGS__) EACH_VECTOR(F, __VA_ARGS__)

/* For arguments that programs hardly ever have: a row goes around this code unless one of its
 * lanes needs it. What is left to the other arguments is arbitrary for these. */
#define RARELY(condition) if (__builtin_expect(condition, 0))

/* Lists of macros without semicolons. */
/* clang-format off */
/* F(n, type, unsigned type of its size, signed type of its size, …) */
#define EACH_INTEGER_BELOW_64(E, F, ...)                                                           \
    E(F, char, uchar, char, __VA_ARGS__) E(F, uchar, uchar, char, __VA_ARGS__)                     \
    E(F, short, ushort, short, __VA_ARGS__) E(F, ushort, ushort, short, __VA_ARGS__)               \
    E(F, int, uint, int, __VA_ARGS__) E(F, uint, uint, int, __VA_ARGS__)
#define EACH_INTEGER(E, F, ...)                                                                    \
    EACH_INTEGER_BELOW_64(E, F, __VA_ARGS__)                                                       \
    E(F, long, ulong, long, __VA_ARGS__) E(F, ulong, ulong, long, __VA_ARGS__)
#define EACH_FLOATING(E, F, ...)                                                                   \
    E(F, float, uint, int, __VA_ARGS__) E(F, double, ulong, long, __VA_ARGS__)                     \
    E(F, half, ushort, short, __VA_ARGS__)
#define EACH_TYPE(E, F, ...) EACH_INTEGER(E, F, __VA_ARGS__) EACH_FLOATING(E, F, __VA_ARGS__)
/* clang-format on */

/* F(address space, …); a function for `private` is the one without a qualifier's number. */
#define EACH_WRITABLE_SPACE(F, ...)                                                                \
    F(private, __VA_ARGS__) F(global, __VA_ARGS__) F(local, __VA_ARGS__) F(generic, __VA_ARGS__)
#define EACH_SPACE(F, ...) EACH_WRITABLE_SPACE(F, __VA_ARGS__) F(constant, __VA_ARGS__)

#define EACH_OTHER_SPACE(F, ...)                                                                   \
    F(global, __VA_ARGS__) F(local, __VA_ARGS__) F(generic, __VA_ARGS__)

/* Value conversion and reinterpretation, the same for scalars and vectors. */
#define CONVERT(n, x, T) CONVERT_##n(x, T##n)
#define CONVERT_(x, T) ((T)(x))
#define CONVERT_2 __builtin_convertvector
#define CONVERT_3 __builtin_convertvector
#define CONVERT_4 __builtin_convertvector
#define CONVERT_8 __builtin_convertvector
#define CONVERT_16 __builtin_convertvector
#define AS(n, x, T) __builtin_astype(x, T##n)

/* A mask with all bits set in components for which the comparison holds: that is what vectors
 * produce, but not scalars. */
#define MASK(n, comparison) MASK_##n(comparison)
#define MASK_(comparison) (-(comparison))
#define MASK_2
#define MASK_3
#define MASK_4
#define MASK_8
#define MASK_16

#define abs_value __builtin_elementwise_abs
#define maximum __builtin_elementwise_max
#define minimum __builtin_elementwise_min

/* The lower and upper half of a vector; of three components the lower half has two. */
#define LOW(n, x) (x).lo
#define HIGH(n, x) HIGH_##n(x)
#define HIGH_2(x) (x).hi
#define HIGH_3(x) (x).z
#define HIGH_4(x) (x).hi
#define HIGH_8(x) (x).hi
#define HIGH_16(x) (x).hi

/* R f(A), R f(A, B), R f(A, B, C) for vectors by the function for fewer components. */
#define MAP_1(n, f, R, A)                                                                          \
    OVERLOAD R##n f(A##n a) { return (R##n)(f(LOW(n, a)), f(HIGH(n, a))); }
#define MAP_2(n, f, R, A, B)                                                                       \
    OVERLOAD R##n f(A##n a, B##n b) {                                                              \
        return (R##n)(f(LOW(n, a), LOW(n, b)), f(HIGH(n, a), HIGH(n, b)));                         \
    }
#define MAP_3(n, f, R, A, B, C)                                                                    \
    OVERLOAD R##n f(A##n a, B##n b, C##n c) {                                                      \
        return (R##n)(f(LOW(n, a), LOW(n, b), LOW(n, c)), f(HIGH(n, a), HIGH(n, b), HIGH(n, c)));  \
    }

/* R f(A, space O *out) component by component; the scalar form for `private` exists. */
#define MAP_OUT(n, f, R, O, space, ...)                                                            \
    OVERLOAD R##n f(R##n a, space O##n *out) {                                                     \
        R##n result;                                                                               \
        O##n outs;                                                                                 \
        _Pragma("unroll") for (int i = 0; i < n; ++i) {                                            \
            O one;                                                                                 \
            result[i] = f(a[i], (private O *)&one);                                                \
            outs[i] = one;                                                                         \
        }                                                                                          \
        *out = outs;                                                                               \
        return result;                                                                             \
    }
#define MAP_OUT_SCALAR_AND_VECTORS(space, f, R, O)                                                 \
    OVERLOAD R f(R a, space O *out) {                                                              \
        O one;                                                                                     \
        R result = f(a, (private O *)&one);                                                        \
        *out = one;                                                                                \
        return result;                                                                             \
    }                                                                                              \
    EACH_VECTOR(MAP_OUT, f, R, O, space)

#endif
