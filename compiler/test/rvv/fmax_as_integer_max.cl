// SPDX-License-Identifier: Apache-2.0
// Lower bounds that let NaN pass are those of integers where NaN has one sign only: no mask.
// RUN: %cc %s --target=rv64gcv --vlen=256 --emit=asm | FileCheck %s

// CHECK-LABEL: of_results:
// CHECK-NOT: vmf
// CHECK: vminu.vx
// CHECK-NOT: vmf
// CHECK: vmax.vx
// CHECK-NOT: vmf
// CHECK: .cfi_endproc
kernel void of_results(global float *a, global float *b) {
    int i = get_global_id(0);
    float x = a[i] * a[i + 1], y = b[i] + a[i];
    a[i] = x < -105.0f ? -105.0f : x;
    b[i] = !(y < 2.5f) ? y : 2.5f;
}
// A loaded or negated value may be any NaN; -0 is not below 0; and an upper bound is no maximum.
// CHECK-LABEL: of_others:
// CHECK-NOT: v{{min|max}}
// CHECK: .cfi_endproc
kernel void of_others(global float *a, global float *b) {
    int i = get_global_id(0);
    float x = a[i], y = -(b[i] + x), z = b[i] * x, w = z * z;
    x = x < -105.0f ? -105.0f : x;
    y = y < -2.5f ? -2.5f : y;
    z = z < 0.0f ? 0.0f : z;
    w = w > 7.5f ? 7.5f : w;
    a[i] = x * y;
    b[i] = z * w;
}
