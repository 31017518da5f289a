// SPDX-License-Identifier: Apache-2.0
// A uniform value is saved once; values of each work-item lie without gaps.
// RUN: %cc %s -o %t && %cc --dump %t | FileCheck %s --check-prefix=SAVED
// SAVED: kernel shared at
// SAVED-NEXT: saved 0,
kernel void shared(global const uint *a, global uint *b, local uint *t) {
    uint l = get_local_id(0), q = a[0] * 7 / (a[1] | 1);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    b[l] = q + t[63 - l];
}
// SAVED: kernel sizes at
// SAVED-NEXT: saved 13,
kernel void sizes(global const uchar *a, global double *d, global uint *b, local uint *t) {
    uint l = get_local_id(0);
    uchar c = a[l];
    double e = d[l];
    uint f = b[l];
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    b[l] = c + f + t[63 - l];
    d[l] = e;
}
// A flag that a work-item has returned before the barrier is saved, if it may.
// SAVED: kernel early at
// SAVED-NEXT: saved 1,
kernel void early(global uint *b, local uint *t) {
    uint l = get_local_id(0);
    if (b[l] == 3)
        return;
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    b[l] = t[63 - l];
}
// Variables whose addresses are live are live themselves, though nothing names them behind the
// barrier.
// RUN: %as %S/Inputs/no_lifetimes.ll -o %t.bc && %cc %t.bc -o %t
// RUN: %cc --dump %t | FileCheck %s --check-prefix=ADDRESS
// ADDRESS: kernel pointer at
// ADDRESS-NEXT: saved 40,
// ADDRESS: kernel table at
// ADDRESS-NEXT: saved 48,
