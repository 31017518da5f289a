// SPDX-License-Identifier: Apache-2.0
// Where i64 is not a native integer, InstCombine narrows a switch to the bits that may be set: i40
// here. The kernel is vectorised anyway, also on a vector unit without elements of 64 bits.
// RUN: %cc %s --target=rv32gc_zve32f --vlen=128 -o %t --remarks 2>&1 | FileCheck %s
// RUN: %cc %s --target=rv32gcv --vlen=128 -o %t --remarks 2>&1 | FileCheck %s
// CHECK-NOT: one work-item after the other
// CHECK: work-items for 64 bits of a vector register
// CHECK-NOT: one work-item after the other
kernel void chosen(global const ulong *in, global int *out) {
    size_t i = get_global_id(0);
    switch (in[i] & 0xffffffffff) {
    case 5: out[i] = 1; break;
    case 0x1234567890: out[i] = out[i] * 3; break;
    case 0x100000000: out[i] = out[i] * 5; break;
    case 0xffffffffff: out[i] = out[i] / 3; break;
    default: out[i] = 7;
    }
}
