// SPDX-License-Identifier: Apache-2.0
// The effect of each build option of 5.6.4. -cl-denorms-are-zero may be ignored, and is: denormals
// cost nothing here. -cl-no-subgroup-ifp promises what holds anyway.
// RUN: %cc %s --emit=llvm -o - | FileCheck --check-prefixes=ALL,PLAIN %s
// RUN: %cc %s --emit=llvm -o - -cl-denorms-are-zero -cl-no-subgroup-ifp \
// RUN:   | FileCheck --check-prefixes=ALL,PLAIN %s
// RUN: %cc %s --emit=llvm -o - -cl-mad-enable | FileCheck --check-prefixes=ALL,FUSE %s
// RUN: %cc %s --emit=llvm -o - -cl-no-signed-zeros | FileCheck --check-prefixes=ALL,ZEROS %s
// RUN: %cc %s --emit=llvm -o - -cl-finite-math-only | FileCheck --check-prefixes=ALL,FINITE %s
// RUN: %cc %s --emit=llvm -o - -cl-unsafe-math-optimizations \
// RUN:   | FileCheck --check-prefixes=ALL,UNSAFE %s
// RUN: %cc %s --emit=llvm -o - -cl-fast-relaxed-math | FileCheck --check-prefixes=ALL,RELAXED %s
// ALL-LABEL: define {{.*}}@arithmetic
// PLAIN: fmul float
// PLAIN: fadd float
// FUSE: fmul contract float
// FUSE: fadd contract float
// ZEROS: fmul nsz float
// ZEROS-NOT: fadd nsz float {{.*}}, 0.0
// FINITE: fmul nnan ninf float
// UNSAFE: fmul reassoc nsz arcp contract afn float
// RELAXED: fmul {{(reassoc nnan ninf nsz arcp contract afn|fast)}} float
// PLAIN: fadd float {{.*}}, 0.000000e+00
kernel void arithmetic(global float *a, float b) {
    float product = a[0] * b;
    a[1] = product + a[2];
    a[3] = a[4] + 0.0f;
}

// RUN: %cc %s --emit=llvm -o - -DCONSTANT | FileCheck --check-prefix=DOUBLE %s
// RUN: %cc %s --emit=llvm -o - -DCONSTANT -cl-single-precision-constant \
// RUN:   | FileCheck --check-prefix=SINGLE %s
// DOUBLE: fmul double
// SINGLE: fmul float
#ifdef CONSTANT
kernel void constant_type(global float *a) { a[0] = a[1] * 0.1; }
#endif

// Division is correctly rounded, with 5.6.4.2's option or without.
// RUN: %cc %s --emit=asm -o - -DDIVISION | FileCheck --check-prefix=DIVISION %s
// RUN: %cc %s --emit=asm -o - -DDIVISION -cl-fp32-correctly-rounded-divide-sqrt \
// RUN:   | FileCheck --check-prefix=DIVISION %s
// DIVISION: vfdiv.vv
// DIVISION: vfsqrt.v
#ifdef DIVISION
kernel void division(global float *a, global float *b) {
    int i = get_global_id(0);
    a[i] = sqrt(a[i] / b[i]);
}
#endif

// No access has type-based alias information, whatever the options promise.
// RUN: %cc %s --emit=llvm -o - | FileCheck --check-prefix=ANYTHING %s
// RUN: %cc %s --emit=llvm -o - -cl-strict-aliasing | FileCheck --check-prefix=ANYTHING %s
// ANYTHING-NOT: !tbaa

// RUN: %cc %s -o %t -cl-std=CL3.0 && %cc --dump %t | FileCheck --check-prefix=UNEVEN %s
// RUN: %cc %s -o %t -cl-std=CL3.0 -cl-uniform-work-group-size && %cc --dump %t \
// RUN:   | FileCheck --check-prefix=UNIFORM %s
// UNEVEN: ; flat{{$}}
// UNIFORM: ; flat uniform{{$}}

// RUN: %cc %s --emit=asm -o - -DDIVISION -cl-opt-disable | FileCheck --check-prefix=NOTHING %s
// NOTHING: arithmetic:
// RUN: %cc %s --emit=asm -o - -DLOOP -cl-opt-disable -rvl-vectorize=off \
// RUN:   | FileCheck --check-prefix=SCALAR %s
// SCALAR-NOT: vset
#ifdef LOOP
kernel void loop_over_elements(global float *restrict a, global const float *restrict b) {
    for (uint i = 0; i < 1024; ++i)
        a[i] += b[i];
}
#endif

// The effects on the code: a product and a sum are one instruction, a division by a uniform value
// is one multiplication for each.
// RUN: %cc %s --emit=asm -o - -DCODE | FileCheck --check-prefix=EXACT %s
// RUN: %cc %s --emit=asm -o - -DCODE -cl-mad-enable | FileCheck --check-prefix=MAD %s
// RUN: %cc %s --emit=asm -o - -DCODE -cl-fast-relaxed-math | FileCheck --check-prefix=FAST %s
// EXACT-LABEL: code:
// EXACT: vfmul.vv
// EXACT: vfadd.vv
// EXACT: vfdiv.vf
// MAD-LABEL: code:
// MAD: vfmacc.vv
// MAD: vfdiv.vf
// FAST-LABEL: code:
// FAST-NOT: vfdiv
// FAST: vfmacc.vv
// FAST-NOT: vfdiv
// FAST: rivulet.note
#ifdef CODE
kernel void code(global float *a, global const float *b, global const float *c, float d) {
    int i = get_global_id(0);
    float product = b[i] * c[i];
    a[i] = (product + a[i]) / d;
}
#endif
