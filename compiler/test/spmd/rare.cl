// SPDX-License-Identifier: Apache-2.0
// Code that hardly ever runs does not decide how many lanes there are, and costs nothing on the
// path around it: no lane's value is selected there.
// RUN: %cc %s --vlen=128 --emit=asm | FileCheck %s
// CHECK-LABEL: sine:
// CHECK: vsetvli {{.*}} e32, m8
// CHECK-NOT: vmerge
// CHECK-NOT: v{{[ls]}}8r.v
// CHECK: vcpop.m [[LARGE:[a-z0-9]+]],
// CHECK-NEXT: bnez [[LARGE]],
// CHECK-NOT: vmerge
// CHECK-NOT: v{{[ls]}}8r.v
// CHECK: vse32.v
kernel void sine(global float *a) {
    size_t i = get_global_id(0);
    a[i] = sin(a[i]);
}

// The source may say which path is likely; the unlikely one costs no lane anything.
// CHECK-LABEL: expected:
// CHECK: vmfgt.vf
// CHECK-NEXT: vcpop.m [[LARGE:[a-z0-9]+]],
// CHECK-NEXT: bnez [[LARGE]],
// CHECK-NOT: vmerge
// CHECK: vse32.v
kernel void expected(global float *a) {
    size_t i = get_global_id(0);
    float x = a[i];
    if (__builtin_expect(x > 100, 0))
        for (int j = 0; j < 3; ++j)
            x = x * x - x * 3 + (x + 2) / (x - 7);
    a[i] = x + 1;
}

// Outside of loops, code that runs often is skipped in the same manner.
// CHECK-LABEL: often:
// CHECK: vcpop.m [[ANY:[a-z0-9]+]],
// CHECK: b{{eq|ne}}z [[ANY]],
// CHECK: vfsqrt.v {{.*}}, v0.t
// CHECK-NOT: vmerge
// CHECK: .size often
kernel void often(global float *a) {
    size_t i = get_global_id(0);
    float x = a[i];
    if (x > 100)
        for (int j = 0; j < 3; ++j)
            x = sqrt(x * x - x * 3 + (x + 2) / (x - 7));
    a[i] = x + 1;
}

// Functions of constants are constants after `#pragma unroll`, also in loops of many of them.
// CHECK-LABEL: constants:
// CHECK-NOT: vcpop.m
// CHECK-NOT: fcvt
// CHECK: .size constants
kernel void constants(global float2 *a) {
    size_t i = get_global_id(0);
    float2 x = a[i];
#pragma unroll
    for (int j = 0; j < 96; ++j)
        x = x.yx * (float2)(cos(0.5f * j), sin(0.25f * j));
    a[i] = x;
}
