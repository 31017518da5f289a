// SPDX-License-Identifier: Apache-2.0
// Rows that are neighbours: one product, and additions.
// RUN: %cc %s --vlen=512 --emit=asm | FileCheck %s
// CHECK-LABEL: {{^}}rows:
// CHECK: mulw
// CHECK-NOT: mul
// CHECK: subw
// CHECK-NOT: mul
// CHECK: subw
// CHECK-NOT: mul
// CHECK-COUNT-4: sh2add
kernel void rows(global float *restrict out, global const float *restrict in, int y, int pitch) {
    int x = get_global_id(0);
    out[x] = in[(y + 1) * pitch + x] + in[y * pitch + x] + in[(y - 1) * pitch + x];
}
