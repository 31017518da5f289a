// SPDX-License-Identifier: Apache-2.0
// Under -cl-unsafe-math-optimizations, functions of float are those of 7.4 of OpenCL C 3.0 that
// know no special cases,
// RUN: %cc %s -cl-unsafe-math-optimizations --vlen=128 --emit=asm -o - \
// RUN:   | FileCheck %s --check-prefixes=ALL,SHORT,DOUBLE
// RUN: %cc %s -cl-fast-relaxed-math --vlen=128 --emit=asm -o - | FileCheck %s --check-prefixes=ALL,SHORT
// and under no other option.
// RUN: %cc %s --vlen=128 --emit=asm -o - | FileCheck %s --check-prefixes=ALL,EXACT,DOUBLE
// RUN: %cc %s -cl-mad-enable -cl-no-signed-zeros -cl-finite-math-only --vlen=128 --emit=asm -o - \
// RUN:   | FileCheck %s --check-prefixes=ALL,EXACT

// ALL-LABEL: logarithm:
// EXACT: vmfle.vf
// EXACT: vmfeq.vf
// SHORT-NOT: vm{{f|s}}
// SHORT: vmflt.vf v0
// SHORT-NOT: vm{{f|s}}
// SHORT: vse32.v
kernel void logarithm(global const float *a, global float *b) {
    size_t i = get_global_id(0);
    b[i] = log2(a[i]);
}

// A sign is one shift, large angles are not looked for.
// ALL-LABEL: sine:
// EXACT: vcpop.m
// SHORT-NOT: vcpop.m
// SHORT: vsll.vi v{{[0-9]+}}, v{{[0-9]+}}, 31
// SHORT-NOT: vcpop.m
kernel void sine(global const float4 *a, global float4 *b) {
    size_t i = get_global_id(0);
    b[i] = sin(a[i]);
}

// ALL-LABEL: of_double:
// DOUBLE: vcpop.m
kernel void of_double(global const double *a, global double *b) {
    size_t i = get_global_id(0);
    b[i] = sin(a[i]);
}
