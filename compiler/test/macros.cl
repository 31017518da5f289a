// SPDX-License-Identifier: Apache-2.0
// The macros of 6.10 and the limits and constants of 6.12.2 and 6.12.3, in every version of the
// language.
// RUN: %cc %s -o %t -DVERSION=120
// RUN: %cc %s -o %t -DVERSION=100 -cl-std=CL1.0
// RUN: %cc %s -o %t -DVERSION=110 -cl-std=CL1.1
// RUN: %cc %s -o %t -DVERSION=120 -cl-std=CL1.2
// RUN: %cc %s -o %t -DVERSION=300 -cl-std=CL3.0
// RUN: %cc %s -o %t -DVERSION=310 -cl-std=CL3.1
// RUN: %cc %s -o %t -DVERSION=120 -DFAST -cl-fast-relaxed-math
// RUN: %cc %s -o %t -DVERSION=120 -DWITHOUT_HALF --target=rv64gcv
// RUN: %cc %s -o %t && %cc --dump %t | FileCheck %s -DVERSION=120
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#ifndef VERSION
#define VERSION 120
#endif
#if __OPENCL_VERSION__ < 300 || __OPENCL_C_VERSION__ != VERSION
#error "version"
#endif
#if CL_VERSION_1_0 != 100 || CL_VERSION_1_1 != 110 || CL_VERSION_1_2 != 120 || \
    CL_VERSION_3_0 != 300 || CL_VERSION_3_1 != 310
#error "known versions"
#endif
#if __ENDIAN_LITTLE__ != 1 || __IMAGE_SUPPORT__ != 1 || __EMBEDDED_PROFILE__ != 1
#error "device"
#endif
#if defined FAST != defined __FAST_RELAXED_MATH__
#error "__FAST_RELAXED_MATH__"
#endif
#if FP_FAST_FMA != 1 || FP_FAST_FMAF != 1 || defined FP_FAST_FMA_HALF == defined WITHOUT_HALF
#error "fma"
#endif
#if __LINE__ != 33
#error "__LINE__"
#endif

// A condition that does not hold is no constant.
#define HOLDS(condition) 1 / (int)(condition),
constant int holding[] = {
    HOLDS(sizeof(__FILE__) > 9)
    HOLDS(CHAR_BIT == 8 && CHAR_MIN == -128 && SCHAR_MAX == 127 && UCHAR_MAX == 255)
    HOLDS(SHRT_MIN == -32768 && USHRT_MAX == 65535 && INT_MIN + INT_MAX == -1)
    HOLDS(UINT_MAX == 0xffffffffu && LONG_MAX == 0x7fffffffffffffffl && ULONG_MAX == ~0ul)
    HOLDS(FLT_DIG == 6 && FLT_MANT_DIG == 24 && FLT_MAX_10_EXP == 38 && FLT_MAX_EXP == 128)
    HOLDS(FLT_MIN_10_EXP == -37 && FLT_MIN_EXP == -125 && FLT_RADIX == 2)
    HOLDS(FLT_MAX == 0x1.fffffep127f && FLT_MIN == 0x1.0p-126f && FLT_EPSILON == 0x1.0p-23f)
    HOLDS(MAXFLOAT == FLT_MAX && HUGE_VALF == INFINITY)
    HOLDS(DBL_DIG == 15 && DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024 && DBL_MIN_EXP == -1021)
    HOLDS(DBL_MAX == 0x1.fffffffffffffp1023 && DBL_EPSILON == 0x1.0p-52 && HUGE_VAL == INFINITY)
    HOLDS(M_PI_F == 3.14159274f && M_SQRT1_2_F == 0.707106769f && M_LN10_F == 2.30258512f)
    HOLDS(M_PI == 3.14159265358979323846 && M_E == 2.71828182845904523536)
#ifndef WITHOUT_HALF
    HOLDS(HALF_DIG == 3 && HALF_MANT_DIG == 11 && HALF_MAX_EXP == 16 && HALF_MIN_EXP == -13)
    HOLDS(HALF_MAX == 65504.0h && HALF_MIN == 0x1.0p-14h && HALF_EPSILON == 0x1.0p-10h)
#endif
};

// CHECK: kernel hinted at
// CHECK: attributes work_group_size_hint(32,1,1) vec_type_hint(float4)
__kernel_exec(32, float4) void hinted(global int *a) { a[0] = sizeof(__func__); }
kernel_exec(16, int) void hinted_too(global int *a) { a[0] = a == NULL || NAN == NAN; }
