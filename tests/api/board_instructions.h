// SPDX-License-Identifier: Apache-2.0
// clang-format off
//
// Built-in functions of a board for the suite BoardInstructions: of extensions that QEMU has, so that each
// shape of operands is compared with its body on vectors, and of a made-up one.
__attribute__((rivulet_instruction("zvbb", "vv: llvm.riscv.vandn", "vx: vandn.vx %0, %1, %2")))
uint acme_andn(uint a, uint b) { return a & ~b; }

__attribute__((rivulet_instruction("zvbb", "vx: llvm.riscv.vandn", "vv: vandn.vv %0, %1, %2")))
uchar acme_andn8(uchar a, uchar b) { return a & ~b; }

__attribute__((rivulet_instruction("zvbb", "vv: llvm.riscv.vror", "vx: llvm.riscv.vror")))
ushort acme_ror16(ushort a, ushort b) { return a >> (b & 15) | a << (-b & 15); }

__attribute__((rivulet_instruction("zvbb", "vv: vror.vv %0, %1, %2", "vx: vror.vx %0, %1, %2")))
ulong acme_ror64(ulong a, ulong b) { return a >> (b & 63) | a << (-b & 63); }

__attribute__((rivulet_instruction("zvbb", "v: vbrev8.v %0, %1")))
uint acme_brev8(uint a) {
    uint result = 0;
    for (int bit = 0; bit < 32; ++bit)
        result |= (a >> bit & 1) << (bit ^ 7);
    return result;
}

__attribute__((rivulet_instruction("zvbb", "v: llvm.riscv.vcpopv")))
long acme_cpop(long a) { return popcount(a); }

__attribute__((rivulet_instruction("zvbb", "vv e8: vwsll.vv %0, %1, %2", "vx e8: vwsll.vx %0, %1, %2")))
ushort acme_wsll8(uchar a, uchar b) { return (ushort)((uint)a << (b & 15)); }

__attribute__((rivulet_instruction("zvbb", "vv e32: vwsll.vv %0, %1, %2", "vx e32: vwsll.vx %0, %1, %2")))
ulong acme_wsll32(uint a, uint b) { return (ulong)a << (b & 63); }

__attribute__((rivulet_instruction("zve32x", "vv: vnsrl.wv %0, %1, %2", "vx: vnsrl.wx %0, %1, %2")))
uchar acme_nsrl8(ushort a, uchar b) { return (uchar)(a >> (b & 15)); }

__attribute__((rivulet_instruction("zve32x", "dvv: vmacc.vv %0, %2, %3", "dxv: vmacc.vx %0, %2, %3")))
int acme_mac(int sum, int a, int b) { return sum + a * b; }

__attribute__((rivulet_instruction("zve32f", "dvv: vfnmsac.vv %0, %2, %3", "dfv: vfnmsac.vf %0, %2, %3")))
float acme_nmsac(float sum, float a, float b) { return fma(-a, b, sum); }

// Xacme: device-firmware/tests/boards/acme/acme.c
__attribute__((rivulet_instruction("xacme", "vv &: .insn r 0x0b, 7, 1, %0, %1, %2",
                                   "vx: .insn r 0x0b, 6, 1, %0, %1, %2")))
int acme_mix(int a, int b) { return rotate(a, 3) ^ b; }

__attribute__((rivulet_instruction("xacme", "dvm: .insn r 0x0b, 7, 0, %0, %2, %2")))
int acme_mix_where(int other, int a, bool where) { return where ? rotate(a, 3) ^ a : other; }

__attribute__((rivulet_instruction("xacme", "dvv: .insn r 0x0b, 4, 1, %0, %2, %3",
                                   "dxv: .insn r 0x0b, 3, 1, %0, %2, %3")))
uint acme_mac_modulo(uint sum, uint a, uint b) { return (uint)((sum + (ulong)a * b) % 0x7fffffff); }
