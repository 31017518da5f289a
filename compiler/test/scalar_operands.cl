// SPDX-License-Identifier: Apache-2.0
// Scalars from outside a loop are operands of its vector instructions, not vectors of their own.
// RUN: %cc %s --target=rv64gcv --vlen=512 --emit=asm | FileCheck %s
// CHECK-LABEL: powers:
// CHECK: vfmul.vf
// CHECK-NOT: vfmv.v.f
// CHECK: vfmul.vf
// CHECK: .cfi_endproc
kernel void powers(global float *a, float by, float then, int n) {
    float x = a[get_global_id(0)];
    for (int i = 0; i < n; i++)
        x = x * by * then;
    a[get_global_id(0)] = x;
}
// Minimum and maximum take scalar operands, in the loop over strips as in one of the kernel's own.
// CHECK-LABEL: limits:
// CHECK-NOT: vfmv.v.f
// CHECK: vfmin.vf
// CHECK: vfmax.vf
// CHECK-NOT: vfmv.v.f
// CHECK: .cfi_endproc
kernel void limits(global float *a, float most, float least, float by, int n) {
    float x = a[get_global_id(0)];
    for (int i = 0; i < n; i++)
        x = fmax(fmin(x * by, most), least);
    a[get_global_id(0)] = x;
}
