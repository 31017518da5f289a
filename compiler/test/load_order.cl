// SPDX-License-Identifier: Apache-2.0
// Loads of neighbours stand where they are wanted: brought together, all of them would wait in
// registers for their turn.
// RUN: %cc %s --vlen=512 --emit=asm | FileCheck %s
// CHECK-LABEL: factors:
// CHECK: vfmul.vf
// CHECK-NOT: vfmacc.vf
// CHECK: flw
// CHECK: vfmacc.vf
// CHECK-NOT: vfadd.vf
// CHECK: flw
// CHECK: vfadd.vf
kernel void factors(global float *a, global const float *k, int n) {
    int x = get_global_id(0);
    float s = a[x];
    for (int i = 0; i < n; ++i)
        s = s * k[4 * i] + k[4 * i + 1] * s + k[4 * i + 2] + s * k[4 * i + 3];
    a[x] = s;
}
