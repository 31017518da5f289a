/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions with two results, or with integers, as functions of numbers only, one per result:
 * what functions.h lists by these names. Compiled for the build machine, and put before the
 * kernels of accuracy_device_test.cpp.
 */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define PART __attribute__((overloadable))

#define PARTS(n, T, U)                                                                             \
    PART T##n fract_rest(T##n x) {                                                                 \
        T##n whole;                                                                                \
        return fract(x, &whole);                                                                   \
    }                                                                                              \
    PART T##n fract_floor(T##n x) {                                                                \
        T##n whole;                                                                                \
        fract(x, &whole);                                                                          \
        return whole;                                                                              \
    }                                                                                              \
    PART T##n modf_rest(T##n x) {                                                                  \
        T##n whole;                                                                                \
        return modf(x, &whole);                                                                    \
    }                                                                                              \
    PART T##n modf_integral(T##n x) {                                                              \
        T##n whole;                                                                                \
        modf(x, &whole);                                                                           \
        return whole;                                                                              \
    }                                                                                              \
    PART T##n frexp_fraction(T##n x) {                                                             \
        int##n exponent;                                                                           \
        return frexp(x, &exponent);                                                                \
    }                                                                                              \
    PART T##n frexp_exponent(T##n x) {                                                             \
        int##n exponent;                                                                           \
        frexp(x, &exponent);                                                                       \
        return convert_##T##n(exponent);                                                           \
    }                                                                                              \
    PART T##n ilogb_bounded(T##n x) { return convert_##T##n(clamp(ilogb(x), -2048, 2048)); }       \
    PART T##n lgamma_r_logarithm(T##n x) {                                                         \
        int##n sign;                                                                               \
        return lgamma_r(x, &sign);                                                                 \
    }                                                                                              \
    PART T##n lgamma_r_sign(T##n x) {                                                              \
        int##n sign;                                                                               \
        lgamma_r(x, &sign);                                                                        \
        return convert_##T##n(sign);                                                               \
    }                                                                                              \
    PART T##n nan_any(T##n x) { return nan(as_##U##n(x)); }                                        \
    PART T##n remquo_remainder(T##n x, T##n y) {                                                   \
        int##n quotient;                                                                           \
        return remquo(x, y, &quotient);                                                            \
    }                                                                                              \
    PART T##n remquo_quotient(T##n x, T##n y) {                                                    \
        int##n quotient;                                                                           \
        remquo(x, y, &quotient);                                                                   \
        return convert_##T##n(quotient);                                                           \
    }                                                                                              \
    PART T##n sincos_sine(T##n x) {                                                                \
        T##n cosine;                                                                               \
        return sincos(x, &cosine);                                                                 \
    }                                                                                              \
    PART T##n sincos_cosine(T##n x) {                                                              \
        T##n cosine;                                                                               \
        sincos(x, &cosine);                                                                        \
        return cosine;                                                                             \
    }
#define EACH_WIDTH(T, U)                                                                           \
    PARTS(, T, U) PARTS(2, T, U) PARTS(3, T, U) PARTS(4, T, U) PARTS(8, T, U) PARTS(16, T, U)
EACH_WIDTH(float, uint)
#ifdef cl_khr_fp64
EACH_WIDTH(double, ulong)
#endif
#ifdef cl_khr_fp16
EACH_WIDTH(half, ushort)
#endif
