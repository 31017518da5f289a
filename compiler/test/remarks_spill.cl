// SPDX-License-Identifier: Apache-2.0
// Remarks on registers that are kept on the stack, at the lines that define and use their values, and
// none where all fit; and on what is written element by element.
// RUN: cd %S && %cc remarks_spill.cl --vlen=512 -o %t --remarks=%t.yaml --stats 2> %t.stats
// RUN: FileCheck %s < %t.yaml
// RUN: FileCheck %s --check-prefix=STATS < %t.stats
// RUN: cd %S && %cc remarks_spill.cl -DFITS_ONLY --vlen=512 -o %t --remarks=%t.fits.yaml
// RUN: FileCheck %s --check-prefix=FITS --implicit-check-not='Name: {{.*}}Spill' < %t.fits.yaml

// STATS: kernel fits: {{.*}} 0 vector spills
// STATS: kernel spills: {{.*}} {{[1-9][0-9]*}} vector spills

// FITS: Function: fits
kernel void fits(global const float *from, global float *to) {
    to[get_global_id(0)] = from[get_global_id(0)] * 2.0f;
}

// CHECK: Name: Scatter
// CHECK-NEXT: DebugLoc: { File: remarks_spill.cl, Line: [[#@LINE+5]],
// CHECK-NEXT: Function: scatters
// CHECK: because the index is read from memory
// CHECK: Instead: {{.*}}sort the elements
kernel void scatters(global const int *index, global float *to) {
    to[index[get_global_id(0)]] = 1.0f;
}

// CHECK: Name: StridedStore
// CHECK-NEXT: DebugLoc: { File: remarks_spill.cl, Line: [[#@LINE+5]],
// CHECK-NEXT: Function: strides
// CHECK: store elements that lie 12 bytes apart
// CHECK: Instead: {{.*}}let get_global_id(0) be the innermost index
kernel void strides(global float *to) {
    to[3 * get_global_id(0)] = 1.0f;
}

#ifndef FITS_ONLY
// CHECK: Name: Spill
// CHECK: DebugLoc: { File: remarks_spill.cl, Line: [[#@LINE+8]],
// CHECK-NEXT: Function: spills
// CHECK: more vectors are live here than registers hold: {{[0-9]+}} stores to the stack
// CHECK: Instead: {{.*}}compute values where they are used
// CHECK: DebugLoc: { File: remarks_spill.cl, Line: [[#@LINE+11]],
// CHECK: {{[0-9]+}} loads from the stack
kernel void spills(global const double16 *from, global double16 *to, int n) {
    size_t i = get_global_id(0);
    double16 a = from[4 * i], b = from[4 * i + 1], c = from[4 * i + 2], d = from[4 * i + 3];
    for (int k = 0; k < n; ++k) {
        a = fma(b, c, d);
        b = fma(c, d, a);
        c = fma(d, a, b);
        d = fma(a, b, c);
    }
    to[i] = a + b * c - d;
}

// CHECK: Name: ScalarSpill
// CHECK-NEXT: DebugLoc: { File: remarks_spill.cl, Line: [[#@LINE+7]],
// CHECK-NEXT: Function: shares
// CHECK: more scalars, {{.*}} are live at once than registers hold
// CHECK: {{[0-9]+}} loads from the stack
// CHECK: Instead: {{.*}}use fewer arguments in one loop
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9)
#define ARGUMENTS(n) , int a##n, int b##n, int c##n, int d##n
kernel void shares(global int *to, int n EACH(ARGUMENTS)) {
    int x = to[get_global_id(0)];
#define STEP(n) x = x * a##n ^ b##n; x = x * c##n ^ d##n;
    for (int i = 0; i < n; ++i) {
        EACH(STEP)
    }
    to[get_global_id(0)] = x;
}
#endif
