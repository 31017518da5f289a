// SPDX-License-Identifier: Apache-2.0
// Inline assembly runs once for each work-item and names what it overwrites.
// RUN: %cc %s --vlen=256 --emit=asm -o - | FileCheck %s
// RUN: %cc %s --target=rv64gc -DSCALARS -o %t
// RUN: %cc %s --target=rv32gcv -o %t
// RUN: not %cc %s -DWRONG=x32 -o %t 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: not %cc %s -DWRONG=a8 -o %t 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: not %cc %s -DWRONG=t01 -o %t 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: not %cc %s -DWRONG=v -o %t 2>&1 | FileCheck --check-prefix=WRONG %s
// WRONG: error: unknown register name '{{.*}}' in asm
#define STRING(x) #x
#define NAME(x) STRING(x)
#ifdef WRONG
kernel void f() { __asm__ volatile("nop" ::: NAME(WRONG)); }
#endif

// Another register holds what is live.
// CHECK-LABEL: scalars:
// CHECK: #APP
// CHECK-NEXT: li t0, 1
// CHECK-NEXT: li t1, 2
// CHECK-NOT: add {{.*}}t{{[01]}}
// CHECK: #NO_APP
kernel void scalars(global int *a) {
    size_t i = get_global_id(0);
    int x = a[i];
    __asm__ volatile("li t0, 1\n\tli x6, 2\n\tadd %0, %0, %1" : "+r"(x) : "r"(i) : "t0", "x6");
    a[i] = x;
}

#ifndef SCALARS
// Vector registers that live across are saved, and the vector length is set again.
// CHECK-LABEL: vectors:
// CHECK: #APP
// CHECK-NEXT: vsetivli zero, 1, e8, m1, ta, ma
// CHECK: #NO_APP
// CHECK-NOT: vfmul
// CHECK: vset{{i?}}vli
kernel void vectors(global float *a, global float *b) {
    size_t i = get_global_id(0);
    float x = a[i], y = b[i];
    __asm__ volatile("vsetivli zero, 1, e8, m1, ta, ma\n\tvmv.v.i v8, 5" ::
                         : "v0", "v8", "v31", "vl", "vtype", "memory", "cc");
    a[i] = x * y;
}
#endif

// Floating-point operands, of each work-item and of all.
// CHECK-LABEL: reals:
// CHECK: #APP
// CHECK-NEXT: fmadd.s f{{[ast]+[0-9]+}}, f{{[ast]+[0-9]+}}, f{{[ast]+[0-9]+}}, f{{[ast]+[0-9]+}}
// CHECK: #NO_APP
kernel void reals(global float *a, float factor) {
    size_t i = get_global_id(0);
    float x;
    __asm__("fmadd.s %0, %1, %2, %1" : "=f"(x) : "f"(a[i]), "f"(factor));
    a[i] = x;
}

// CHECK-LABEL: uniform:
// CHECK: #APP
// CHECK-NEXT: fadd.d f{{[ast]+[0-9]+}}, f{{[ast]+[0-9]+}}, f{{[ast]+[0-9]+}}
// CHECK: #NO_APP
#ifdef cl_khr_fp64
kernel void uniform(global double *a, double b) {
    double x;
    __asm__("fadd.d %0, %1, %1" : "=f"(x) : "f"(b));
    a[0] = x;
}
#endif

// All names that the ABI and the instruction set have.
kernel void all() {
    __asm__ volatile("" ::: "ra", "t0", "t6", "a0", "a7", "s1", "s11", "x31", "x5", "memory", "cc");
}
