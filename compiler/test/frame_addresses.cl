// SPDX-License-Identifier: Apache-2.0
// Vectors that don't fit lie on the stack, beyond what an immediate reaches from sp. Addresses are
// made of one that a free register holds,
// RUN: %cc %s --vlen=1024 --emit=asm | FileCheck %s
// CHECK-LABEL: mixed:
// CHECK: add [[BASE:[ats][0-9]+]], {{[ats][0-9]+}}, sp
// CHECK-NEXT: addi [[AT:[ats][0-9]+]], [[BASE]], {{-?[0-9]+}}
// CHECK-NEXT: v{{[ls]}}8r.v v{{[0-9]+}}, ([[AT]])
// CHECK: addi [[OTHER:[ats][0-9]+]], [[AT]], {{-?[0-9]+}}
// CHECK-NEXT: v{{[ls]}}8r.v v{{[0-9]+}}, ([[OTHER]])
// of the last one, or are there still.
// CHECK: {{vl8r.v v[0-9]+, \(([ats][0-9]+)\)[[:space:]]+v[a-z.0-9, ]+[[:space:]]+vs8r.v v[0-9]+, \(\1\)}}
#define MIX(a, b, c, d)                                                                            \
    a += b; d = rotate(d ^ a, 16u); c += d; b = rotate(b ^ c, 12u);                                \
    a += b; d = rotate(d ^ a, 8u); c += d; b = rotate(b ^ c, 7u);
kernel void mixed(global uint *v, int rounds) {
    uint x[16];
    for (int k = 0; k < 16; ++k)
        x[k] = v[get_global_id(0) + k * 4096];
    for (int i = 0; i < rounds; ++i) {
        MIX(x[0], x[4], x[8], x[12]) MIX(x[1], x[5], x[9], x[13])
        MIX(x[2], x[6], x[10], x[14]) MIX(x[3], x[7], x[11], x[15])
        MIX(x[0], x[5], x[10], x[15]) MIX(x[1], x[6], x[11], x[12])
        MIX(x[2], x[7], x[8], x[13]) MIX(x[3], x[4], x[9], x[14])
    }
    for (int k = 0; k < 16; ++k)
        v[get_global_id(0) + k * 4096] = x[k];
}
