// SPDX-License-Identifier: Apache-2.0
// A function of the program coexists with the built-in functions of its name and hides none, but
// the one that has its parameters.
// RUN: %cc %s --emit=llvm -o - -cl-std=CL3.0 | FileCheck %s
// RUN: %cc %s --emit=llvm -o - -cl-std=CL3.0 -DPROTOTYPES | FileCheck %s
// RUN: %cc %s --emit=llvm -o - -cl-std=CL3.0 -I %S/Inputs -DHEADER | FileCheck %s
// RUN: %cc %s --emit=llvm -o - -cl-std=CL3.0 "-DOWN=float max(float a, float b, float c)" \
// RUN:   -DMACRO | FileCheck %s
// RUN: %cc %s -o %t -cl-std=CL3.0 -DATOMICS
// RUN: %cc %s -o %t -cl-std=CL3.0 -DINNER
// RUN: %cc %s -o %t -cl-std=CL3.0 -DVARIABLE
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DNO_OVERLOAD 2>&1 | FileCheck --check-prefix=NONE %s
#define OVERLOAD __attribute__((overloadable))

#ifdef PROTOTYPES
float OVERLOAD max(float a, float b);
#elif defined HEADER
#include "own_max.h"
#elif defined MACRO
OWN { return a > b ? a : c; }
#else
// Its own body sees the built-in ones, too.
float2 OVERLOAD max(float2 a, float2 b) { return max(a.x, b.y) + max((int)a.y, 7); }
float OVERLOAD max(float a, float b) { return a > b ? a : b; }
#endif

// CHECK-LABEL: @integers(
// CHECK: call{{.*}} i32 @llvm.smax.i32(i32 16777217, i32 %
kernel void integers(global int *a) { a[0] = max(16777217, a[0]); }
// CHECK-LABEL: @unsigned_vectors(
// CHECK: call{{.*}} <4 x i32> @llvm.umax.v4i32(
kernel void unsigned_vectors(global uint4 *a) { a[0] = max(a[0], a[1]); }

#ifdef PROTOTYPES
float OVERLOAD max(float a, float b) { return a > b ? a : b; }
// A prototype of what is built in already; the definition is the library's.
uint OVERLOAD min(uint a, uint b);
kernel void again(global uint *a, global float *b) {
    a[0] = min(a[1], a[2]), b[0] = min(b[1], b[2]);
}
#endif

// Functions that headers of the compiler's declare are built in as well.
#ifdef ATOMICS
float OVERLOAD atomic_add(volatile global float *p, float v) { return *p += v; }
float OVERLOAD atomic_fetch_add(volatile global float *p, float v) { return *p += v; }
float OVERLOAD intel_sub_group_shuffle(float value, float2 lane) { return value + lane.x; }
kernel void f(global int *a, volatile global atomic_int *b, global float *c) {
    a[0] = atomic_add(a, 2) + atomic_fetch_add(b, 3) + intel_sub_group_shuffle(a[1], 0u);
    c[0] = atomic_add(c, 1.0f) + atomic_fetch_add(c, 1.0f);
}
#endif

// Declarations of a block end with it.
#ifdef INNER
kernel void f(global int *a, global uint4 *b) {
    {
        int4 OVERLOAD clamp(int4 a, int b);
        float OVERLOAD atomic_fetch_max(volatile global float *p, float v);
        b[0] = clamp(b[1], 3u, 5u);
        a[0] = atomic_fetch_max((volatile global atomic_int *)a, 1);
    }
    a[1] = clamp(a[0], 1, 2);
    a[2] = atomic_fetch_max((volatile global atomic_int *)a, 1);
}
#endif

// Variables hide functions, as C has it.
#ifdef VARIABLE
float OVERLOAD step(float4 a) { return a.x; }
kernel void f(global int *a) {
    int max = a[0], step = a[1];
    a[2] = max * step;
}
#endif

// NONE: error: no matching function for call to 'max'
#ifdef NO_OVERLOAD
kernel void f(global int *a) { a[0] = max(a, a); }
#endif

// The library's functions call each other, not the program's of the same name.
// RUN: %cc %s --emit=llvm -o - -cl-std=CL3.0 -DCALLED | FileCheck --check-prefix=CALLED %s
// CALLED-LABEL: @wide(
// CALLED-NOT: 4.200000e+01
// CALLED-LABEL: @own(
// CALLED: store float 4.200000e+01
#ifdef CALLED
float OVERLOAD exp(float x) { return 42; }
kernel void wide(global double *a, global float2 *b) { a[0] = exp(a[1]), b[0] = exp(b[1]); }
kernel void own(global float *a) { a[0] = exp(a[1]); }
#endif

// A function that is not overloadable converts its arguments, as C has it, where no built-in
// overload fits better than it does.
// RUN: %cc %s -o %t -DPLAIN -Werror 2>&1 | FileCheck --check-prefix=QUIET --allow-empty %s
// RUN: %cc %s --emit=llvm -o - -DPLAIN | FileCheck --check-prefix=PLAIN %s
// RUN: %cc %s --emit=llvm -o - -DBESIDE | FileCheck --check-prefix=BESIDE %s
// RUN: not %cc %s -o %t -DOVERLOADABLE 2>&1 | FileCheck --check-prefix=AMBIGUOUS %s
// QUIET-NOT: {{.}}
// AMBIGUOUS: error: call to 'max' is ambiguous
#ifdef PLAIN
static float min(float a, float b);
static float min(float a, float b) { return a < b ? a : 42; }
ulong rotate(ulong x, int n) { return x << n; }
float sign(float x) { return x < 0 ? -1 : 1; }
// PLAIN-LABEL: @plain(
// PLAIN: 4.200000e+01
kernel void plain(global float *a, global ulong *b, global int *c) {
    a[0] = min(min(a[0], 7), min(c[2], 1u)), b[0] = rotate(b[1], 7u), c[0] = sign(c[1]);
}
#elif defined BESIDE
float min(float a, float b) { return a < b ? a : b; }
// BESIDE-LABEL: @beside(
// BESIDE: call{{.*}} i32 @llvm.smin.i32(i32 16777217, i32 %
kernel void beside(global int *a) { a[0] = min(16777217, a[0]); }
#elif defined OVERLOADABLE
kernel void f(global float *a) { a[0] = max(a[1], 0); }
#endif

// The host finds a kernel by its name, even if that is one of the library's.
// RUN: %cc %s -o %t -DKERNEL 2>&1 | FileCheck --check-prefix=KERNEL %s --allow-empty
// RUN: %cc %s --emit=llvm -o - -DKERNEL | FileCheck --check-prefix=KERNEL %s
#ifdef KERNEL
// KERNEL-NOT: .own
kernel void __to_global(global int *a) { a[0] = 1; }
#endif
