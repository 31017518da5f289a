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
// A value that is live across an atomic instruction's loop, such as an argument, occupies its
// register.
// CHECK-LABEL: exchanged:
// CHECK: lw [[HELD:[ast][0-9]+]], 224(a0)
// CHECK-NOT: {{(addi|add|lui|li)[[:space:]]+}}[[HELD]],
// CHECK: lr.w
// CHECK-NOT: {{(addi|add|lui|li)[[:space:]]+}}[[HELD]],
// CHECK: vmul.vx {{v[0-9]+, v[0-9]+}}, [[HELD]]
kernel __attribute__((reqd_work_group_size(4, 1, 1))) void
exchanged(global uint *v, global uint *out, local uint *tile, uint n, uint m, uint l, uint k) {
    uint x[48];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 48; ++i)
        x[i] = v[get_global_id(0) + i * 4096];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 96; ++i)
        x[i % 48] = rotate(x[i % 48] * n ^ x[i * 11 % 48], 7u) + x[i * 5 % 48];
    x[0] += atomic_cmpxchg(&out[x[1]], x[2], x[3]);
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 96; ++i)
        x[i % 48] = rotate(x[i % 48] * m ^ x[i * 11 % 48] * l, 7u) + x[i * 5 % 48] * k;
    tile[get_local_id(0)] = x[5];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = tile[3 - get_local_id(0)];
    __attribute__((opencl_unroll_hint))
    for (int i = 0; i < 48; ++i)
        v[get_global_id(0) + i * 4096] = x[i];
}
