// SPDX-License-Identifier: Apache-2.0
#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

// After a step up, which gives an even number, always comes a step down: both are made at once.
void hand(const uint32_t *starts, uint32_t *steps, size_t count) {
    for (size_t vl; count; count -= vl, starts += vl, steps += vl) {
        vl = __riscv_vsetvl_e32m8(count);
        vuint32m8_t n = __riscv_vle32_v_u32m8(starts, vl), taken = __riscv_vmv_v_x_u32m8(0, vl);
        for (;;) {
            vbool4_t running = __riscv_vmsne_vx_u32m8_b4(n, 1, vl);
            if (__riscv_vfirst_m_b4(running, vl) < 0)
                break;
            vbool4_t odd = __riscv_vmsne_vx_u32m8_b4(__riscv_vand_vx_u32m8(n, 1, vl), 0, vl);
            odd = __riscv_vmand_mm_b4(odd, running, vl);
            vuint32m8_t twice = __riscv_vadd_vx_u32m8(__riscv_vsll_vx_u32m8(n, 1, vl), 1, vl);
            n = __riscv_vadd_vv_u32m8_mu(odd, n, n, twice, vl);
            taken = __riscv_vadd_vx_u32m8_mu(odd, taken, taken, 1, vl);
            n = __riscv_vsrl_vx_u32m8_mu(running, n, n, 1, vl);
            taken = __riscv_vadd_vx_u32m8_mu(running, taken, taken, 1, vl);
        }
        __riscv_vse32_v_u32m8(steps, taken, vl);
    }
}
