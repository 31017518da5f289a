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
