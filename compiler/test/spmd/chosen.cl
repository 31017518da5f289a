// SPDX-License-Identifier: Apache-2.0
// A choice of addresses in one buffer is a choice of indices, of 32 bits.
// RUN: %cc %s --vlen=256 --emit=asm | FileCheck %s
// RUN: %cc %s --vlen=256 --emit=spmd | FileCheck %s --check-prefix=INDEX
// INDEX-LABEL: @clamped(
// INDEX-NOT: stepvector.nxv8i64
// INDEX: {{^}}}
// CHECK-LABEL: clamped:
// CHECK: vluxei32.v
// CHECK-NOT: vluxei64.v
// CHECK: .Lfunc_end
kernel void clamped(global const float *a, global const float *limit, global float *b) {
    int i = get_global_id(0);
    global const float *from = limit[i] > 0 ? &a[i - 1] : &a[i];
    b[i] = *from;
}
