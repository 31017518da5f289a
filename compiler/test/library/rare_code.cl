// SPDX-License-Identifier: Apache-2.0
// Code of the library that programs hardly ever need: rows go around it, and its constants are made
// where it runs, so that small launches don't pay for them.
// RUN: %cc %s --vlen=512 --emit=asm | FileCheck %s

// The constant is a part of 1/2π, by which angles beyond 2^16 are reduced.
// CHECK-LABEL: wave:
// CHECK-NOT: lui {{.*}}, 899385
// CHECK: vcpop.m [[ANY:[a-z0-9]+]],
// CHECK: bnez [[ANY]],
// CHECK: vse32.v
// CHECK: lui {{.*}}, 899385
// CHECK: .cfi_endproc
kernel void wave(global const float *a, global float *out) {
    int i = get_global_id(0);
    out[i] = sin(a[i]);
}

// Less than sixteen instructions are behind a branch, too, if they hardly ever run.
// CHECK-LABEL: damped:
// CHECK: vcpop.m
// CHECK: vse32.v
// CHECK: vfdiv.vv
// CHECK: .cfi_endproc
kernel void damped(global const float *a, global float *out) {
    int i = get_global_id(0);
    float x = a[i], y = x + 1.0f;
    if (__builtin_expect(x > 100.0f, 0))
        y = 100.0f + 3.0f * (x - 100.0f) / (x * x);
    out[i] = y;
}

// A vector that is extreme is scaled: that is behind the branch.
// CHECK-LABEL: size:
// CHECK-COUNT-1: vfsqrt.v
// CHECK: vcpop.m
// CHECK: vse32.v
// CHECK: vfsqrt.v
// CHECK: .cfi_endproc
kernel void size(global const float4 *a, global float *out) {
    int i = get_global_id(0);
    out[i] = length(a[i]);
}
