// SPDX-License-Identifier: Apache-2.0
// Build options (5.6.4): every one is taken, unknown and malformed ones are refused.
// RUN: %cc %s -o %t -cl-single-precision-constant -cl-denorms-are-zero -cl-opt-disable \
// RUN:   -cl-fp32-correctly-rounded-divide-sqrt -cl-strict-aliasing -cl-mad-enable \
// RUN:   -cl-no-signed-zeros -cl-unsafe-math-optimizations -cl-finite-math-only -w -Werror \
// RUN:   -cl-fast-relaxed-math -cl-std=CL3.0 -cl-kernel-arg-info -cl-uniform-work-group-size \
// RUN:   -cl-no-subgroup-ifp -g -I . -I. -D A -DB -D "C=1 + 1" -DD=2
// RUN: %cc --dump %t | FileCheck --check-prefix=ALL %s
// ALL: options -cl-single-precision-constant {{.*}}-D C=1\ +\ 1 -DD=2

// RUN: not %cc %s -o %t -cl-nonsense 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: build options: unknown option '-cl-nonsense'
// RUN: not %cc %s -o %t -cl-std=CL9.9 2>&1 | FileCheck --check-prefix=STANDARD %s
// STANDARD: build options: -cl-std=CL9.9 is not supported; there are: CL1.0 CL1.1 CL1.2 CL3.0
// RUN: not %cc %s -o %t -D 2>&1 | FileCheck --check-prefix=EMPTY %s
// EMPTY: build options: -D needs an argument
// RUN: not %cc %s -o %t -D 1x=2 2>&1 | FileCheck --check-prefix=MACRO %s
// MACRO: build options: -D: '1x' is not the name of a macro
// RUN: not %cc %s -o %t -create-library 2>&1 | FileCheck --check-prefix=LINKING %s
// LINKING: build options: '-create-library' is an option for linking
// RUN: not %cc %s -o %t -rvl-vectorize=hard 2>&1 | FileCheck --check-prefix=VECTORISE %s
// VECTORISE: build options: -rvl-vectorize=hard: one of off, loops, spmd
// RUN: %cc %s -o %t -rvl-vectorize=off && %cc %s -o %t -rvl-vectorize=loops
// RUN: not %cc %s -o %t -rvl-inline-budget=small 2>&1 | FileCheck --check-prefix=BUDGET %s
// BUDGET: build options: -rvl-inline-budget=small is not a number

// Versions of the language (6.10): 1.2 unless told otherwise.
// RUN: %cc %s -o %t -DVERSION=120
// RUN: %cc %s -o %t -DVERSION=110 -cl-std=CL1.1
// RUN: %cc %s -o %t -DVERSION=300 -cl-std=CL3.0
// RUN: %cc %s -o %t -DRELAXED -cl-fast-relaxed-math
#ifdef VERSION
#if __OPENCL_C_VERSION__ != VERSION
#error "another version"
#endif
#endif
#if defined RELAXED && !defined __FAST_RELAXED_MATH__
#error "__FAST_RELAXED_MATH__ is missing"
#endif
#if !defined __EMBEDDED_PROFILE__ || !defined __ENDIAN_LITTLE__ || __OPENCL_VERSION__ < 300
#error "macros of 6.10 are missing"
#endif
#ifndef cl_khr_byte_addressable_store
#error "extensions have macros"
#endif
#ifdef cl_khr_gl_msaa_sharing
#error "not advertised"
#endif
kernel void f(global int *a) { a[0] = 1; }
