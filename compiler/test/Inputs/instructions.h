// SPDX-License-Identifier: Apache-2.0
// clang-format off
__attribute__((rivulet_instruction("xacme", "vv: .insn r 0x0b, 7, 1, %0, %1, %2",
                                   "vx: .insn r 0x0b, 6, 1, %0, %1, %2")))
int acme_mix(int a, int b) { return a * 3 ^ b; }
__attribute__((rivulet_instruction("xacme", "dvv: .insn r 0x0b, 5, 1, %0, %2, %3")))
int acme_mac(int sum, int a, int b) { return sum + a * b; }
__attribute__((rivulet_instruction("zvbb", "vv: llvm.riscv.vandn", "vx: vandn.vx %0, %1, %2")))
uchar acme_andn(uchar a, uchar b) { return a & ~b; }
__attribute__((rivulet_instruction("zvbb", "vv e32: vwsll.vv %0, %1, %2")))
ulong acme_wsll(uint a, uint b) { return (ulong)a << (b & 63); }
__attribute__((rivulet_instruction("zve32f", "dfv: vfmacc.vf %0, %2, %3")))
float acme_fmac(float sum, float a, float b) { return fma(a, b, sum); }
__attribute__((rivulet_instruction("zvqdotq", "dbb: llvm.riscv.vqdot")))
int acme_dot(int sum, int a, int b) { return sum + (char)a * (char)b; }
__attribute__((rivulet_instruction("xtheadvdot", "dbb: llvm.riscv.th.vmaqa")))
int acme_dot_t(int sum, int a, int b) { return sum + (char)a * (char)b; }
__attribute__((rivulet_instruction("xacme", "dvvm: .insn r 0x0b, 4, 0, %0, %2, %3")))
int acme_mix_where(int other, int a, int b, bool where) { return where ? a * 3 ^ b : other; }
__attribute__((rivulet_instruction("zvbb", "dvvm: vandn.vv %0, %2, %3, %4.t")))
uint acme_andn_where(uint other, uint a, uint b, bool where) { return where ? a & ~b : other; }
__attribute__((rivulet_instruction("zvbb", "dvvm: llvm.riscv.vandn.mask")))
uint acme_andn_masked(uint other, uint a, uint b, bool where) { return where ? a & ~b : other; }
__attribute__((rivulet_instruction("zve32x", "vvm: llvm.riscv.vadc")))
uint acme_add_carry(uint a, uint b, bool carry) { return a + b + carry; }
#ifdef MISTAKE
__attribute__((rivulet_instruction(MISTAKE))) int f(int a, int b) { return BODY; }
#endif
