// SPDX-License-Identifier: Apache-2.0
// Functions of sub-groups reach instructions that combine neighbouring elements.
// RUN: %cc %s -cl-std=CL3.0 --target=rv64gcv_xsfvqmaccqoq --vlen=256 --emit=asm -o - | FileCheck --check-prefix=SIFIVE %s
// RUN: %cc %s -cl-std=CL3.0 --target=rv64gcv_zvkned --vlen=256 --emit=asm -o - | FileCheck --check-prefix=AES %s
// RUN: %cc %s -cl-std=CL3.0 --target=rv64gc_zbb --emit=asm -o - | FileCheck --check-prefix=SCALAR %s
#ifdef __riscv_xsfvqmaccqoq
#include <sifive_vector.h>
#include <riscv_vector.h>
// SIFIVE: sf.vqmacc.4x8x4 v
__attribute__((rivulet_sub_group))
void tile(global int *c, global const char *a, global const char *b) {
    size_t vl = __riscv_vsetvl_e32m1(8);
    vint32m1_t sum = __riscv_vle32_v_i32m1(c, vl);
    vint8m1_t rows = __riscv_vle8_v_i8m1(a, 32);
    vint8mf2_t columns = __riscv_vle8_v_i8mf2(b, 32);
    __riscv_vse32(c, __riscv_sf_vqmacc_4x8x4_i32m1(sum, rows, columns, vl), vl);
}
kernel void product(global int *c, global const char *a, global const char *b) { tile(c, a, b); }
#endif

#ifdef __riscv_zvkned
#include <riscv_vector.h>
// AES: vaesem.vs v
__attribute__((rivulet_sub_group)) void middle_round(local uint *state, constant uint *key, uint n) {
    uint k[4] = {key[0], key[1], key[2], key[3]};
    size_t vl = __riscv_vsetvl_e32m1(n);
    vuint32m1_t v = __riscv_vle32_v_u32m1(state, vl);
    v = __riscv_vaesem_vs_u32m1_u32m1(v, __riscv_vle32_v_u32m1(k, 4), vl);
    __riscv_vse32(state, v, vl);
}
kernel void round(local uint *state, constant uint *key) { middle_round(state, key, 8); }
#endif

// Scalar ones belong to a work-item.
// SCALAR: orc.b
#if defined(__riscv_zbb) && !defined(__riscv_vector)
kernel void bytes(global ulong *o) {
    size_t i = get_global_id(0);
    o[i] = __builtin_riscv_orc_b_64(o[i]);
}
#endif
