// SPDX-License-Identifier: Apache-2.0
#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

void hand(const int32_t *starts, const int32_t *edges, int32_t *levels, int32_t *changed, int nodes,
          int level) {
    for (size_t at = 0, vl; at < (size_t)nodes; at += vl) {
        vl = __riscv_vsetvl_e32m4((size_t)nodes - at);
        vbool8_t mine =
            __riscv_vmseq_vx_i32m4_b8(__riscv_vle32_v_i32m4(levels + at, vl), level, vl);
        size_t active = __riscv_vcpop_m_b8(mine, vl);
        if (!active)
            continue;
        // Only the nodes of the frontier go on, next to each other.
        vuint32m4_t edge = __riscv_vle32_v_u32m4((const uint32_t *)starts + at, vl);
        vuint32m4_t end = __riscv_vle32_v_u32m4((const uint32_t *)starts + at + 1, vl);
        edge = __riscv_vsll_vx_u32m4(__riscv_vcompress_vm_u32m4(edge, mine, vl), 2, active);
        end = __riscv_vsll_vx_u32m4(__riscv_vcompress_vm_u32m4(end, mine, vl), 2, active);
        vint32m4_t next = __riscv_vmv_v_x_i32m4(level + 1, active);
        for (;;) {
            vbool8_t running = __riscv_vmsltu_vv_u32m4_b8(edge, end, active);
            if (__riscv_vfirst_m_b8(running, active) < 0)
                break;
            vuint32m4_t other =
                __riscv_vluxei32_v_u32m4_m(running, (const uint32_t *)edges, edge, active);
            other = __riscv_vsll_vx_u32m4(other, 2, active);
            vint32m4_t found = __riscv_vluxei32_v_i32m4_m(running, levels, other, active);
            vbool8_t fresh =
                __riscv_vmand_mm_b8(__riscv_vmslt_vx_i32m4_b8(found, 0, active), running, active);
            if (__riscv_vfirst_m_b8(fresh, active) >= 0)
                *changed = 1;
            __riscv_vsuxei32_v_i32m4_m(fresh, levels, other, next, active);
            edge = __riscv_vadd_vx_u32m4(edge, 4, active);
        }
    }
}
