// SPDX-License-Identifier: Apache-2.0
// A sum of bytes with factors becomes a chain: one widening instruction for each of them.
// RUN: %cc %s --vlen=256 --emit=asm | FileCheck %s
// CHECK-LABEL: stencil:
// CHECK: vwaddu.vv [[SUM:v[0-9]+]]
// CHECK: vwsubu.wv [[SUM]], [[SUM]]
// CHECK: vwsubu.wv [[SUM]], [[SUM]]
// CHECK: vwmaccu.vx [[SUM]]
// CHECK: vwmaccsu.vx [[SUM]]
kernel void stencil(global const uchar *a, global short *out) {
    size_t i = get_global_id(0);
    out[i] = (a[i] + 2 * a[i + 1] + a[i + 2]) - (a[i + 64] + 2 * a[i + 65] + a[i + 66]);
}
// CHECK-LABEL: signed_products:
// CHECK: vwmacc.vx
// CHECK: vwmacc.vx
kernel void signed_products(global const short *a, global int *out) {
    size_t i = get_global_id(0);
    out[i] = a[i] - 3 * a[i + 1] + 5 * a[i + 2] - a[i + 3];
}
// A factor that has more bits than the value stays a product.
// CHECK-LABEL: large_factor:
// CHECK-NOT: vwmacc
// CHECK: ret
kernel void large_factor(global const char *a, global short *out) {
    size_t i = get_global_id(0);
    out[i] = a[i] + 200 * a[i + 1] - 130 * a[i + 2];
}
