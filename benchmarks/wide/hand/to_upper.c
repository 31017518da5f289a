// SPDX-License-Identifier: Apache-2.0
#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

void hand(uint8_t *text, size_t n) {
    for (size_t vl; n; n -= vl, text += vl) {
        vl = __riscv_vsetvl_e8m8(n);
        vuint8m8_t c = __riscv_vle8_v_u8m8(text, vl);
        vbool1_t lower = __riscv_vmsltu_vx_u8m8_b1(__riscv_vsub_vx_u8m8(c, 'a', vl), 26, vl);
        c = __riscv_vxor_vx_u8m8_mu(lower, c, c, 32, vl);
        __riscv_vse8_v_u8m8(text, c, vl);
    }
}
