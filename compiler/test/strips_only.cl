// SPDX-License-Identifier: Apache-2.0
// Where nothing is in the loops over strips, strength reduction, which takes long, isn't asked: the
// address is made of the counter.
// RUN: %cc %s --target=rv64gcv_zba --vlen=512 --emit=asm | FileCheck %s
// CHECK-LABEL: scaled:
// CHECK: vsetvli {{.*}}, zero, e32, m8
// CHECK: sh2add
// CHECK: vl8re32.v
kernel void scaled(global float *a, constant float *by, int width, int height) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    a[y * width + x] *= by[0];
}
