// SPDX-License-Identifier: Apache-2.0
// A fused multiply-add overwrites the factor without other uses, not the one that the loop
// carries: no vector is copied for it.
// RUN: %cc %s --vlen=128 --emit=asm | FileCheck %s
// CHECK-LABEL: turns:
// CHECK: vfmsac.vv
// CHECK-NOT: vmv{{[1248]}}r.v
// CHECK: vfmadd.vv
// CHECK-NOT: vfmadd.vv
// CHECK: vmv4r.v
// CHECK-NEXT: vfmadd.vv
// CHECK-NEXT: vmfle.vf
kernel void turns(global int *out, float x, float y, float step, int most) {
    int id = get_global_id(0);
    float c = x + id * step, d = y, r = 0, i = 0;
    int n = 0;
    while (n < most && r * r + i * i <= 4) {
        float t = r * r - i * i + c;
        i = 2 * r * i + d;
        r = t;
        ++n;
    }
    out[id] = n;
}
