// SPDX-License-Identifier: Apache-2.0
// One of two conditions, as a number that is added: a sum under one mask, not two choices first.
// RUN: %cc %s --target=rv64gcv --vlen=256 --emit=asm | FileCheck %s

// CHECK-LABEL: either:
// CHECK-NOT: vmerge
// CHECK: vmor.mm v0
// CHECK: vadd.vi {{v[0-9]+}}, {{v[0-9]+}}, 1, v0.t
// CHECK-NOT: vmerge
// CHECK: .cfi_endproc
kernel void either(global const float *a, global int *out, int n) {
    int i = get_global_id(0), count = 0;
    float x = a[i];
    for (int k = 0; k < n; ++k) {
        float y = a[k];
        count += (y < x) || (y == x && n + k < i);
    }
    out[i] = count;
}
