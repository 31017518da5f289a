// SPDX-License-Identifier: Apache-2.0
#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

void hand(const uint32_t *keys, const uint32_t *table, uint32_t *values, size_t n, uint32_t mask) {
    for (size_t vl; n; n -= vl, keys += vl, values += vl) {
        vl = __riscv_vsetvl_e32m4(n);
        vuint32m4_t key = __riscv_vle32_v_u32m4(keys, vl), value = __riscv_vmv_v_x_u32m4(~0u, vl);
        vuint32m4_t slot =
            __riscv_vand_vx_u32m4(__riscv_vmul_vx_u32m4(key, 2654435761u, vl), mask, vl);
        slot = __riscv_vsll_vx_u32m4(slot, 3, vl); // bytes
        vbool8_t running = __riscv_vmset_m_b8(vl);
        do {
            vuint32m4_t there = __riscv_vluxei32_v_u32m4_m(running, table, slot, vl);
            vbool8_t found =
                __riscv_vmand_mm_b8(__riscv_vmseq_vv_u32m4_b8(there, key, vl), running, vl);
            value = __riscv_vluxei32_v_u32m4_mu(found, value, table + 1, slot, vl);
            running = __riscv_vmand_mm_b8(__riscv_vmsne_vx_u32m4_b8(there, 0, vl), running, vl);
            running = __riscv_vmandn_mm_b8(running, found, vl);
            slot = __riscv_vand_vx_u32m4(__riscv_vadd_vx_u32m4(slot, 8, vl), 8 * mask, vl);
        } while (__riscv_vfirst_m_b8(running, vl) >= 0);
        __riscv_vse32_v_u32m4(values, value, vl);
    }
}
