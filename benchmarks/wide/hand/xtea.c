// SPDX-License-Identifier: Apache-2.0
#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

static vuint32m4_t mixed(vuint32m4_t to, vuint32m4_t v, uint32_t key, size_t vl) {
    vuint32m4_t t =
        __riscv_vxor_vv_u32m4(__riscv_vsll_vx_u32m4(v, 4, vl), __riscv_vsrl_vx_u32m4(v, 5, vl), vl);
    return __riscv_vadd_vv_u32m4(
        to, __riscv_vxor_vx_u32m4(__riscv_vadd_vv_u32m4(t, v, vl), key, vl), vl);
}

void hand(uint32_t *data, const uint32_t *key, size_t n) {
    uint32_t keys[64], sum = 0;
    for (int i = 0; i < 32; ++i) {
        keys[2 * i] = sum + key[sum & 3];
        sum += 0x9e3779b9u;
        keys[2 * i + 1] = sum + key[sum >> 11 & 3];
    }
    for (size_t vl; n; n -= vl, data += 2 * vl) {
        vl = __riscv_vsetvl_e32m4(n);
        vuint32m4x2_t pair = __riscv_vlseg2e32_v_u32m4x2(data, vl);
        vuint32m4_t x = __riscv_vget_v_u32m4x2_u32m4(pair, 0),
                    y = __riscv_vget_v_u32m4x2_u32m4(pair, 1);
#pragma clang loop unroll_count(8)
        for (int i = 0; i < 64; i += 2) {
            x = mixed(x, y, keys[i], vl);
            y = mixed(y, x, keys[i + 1], vl);
        }
        __riscv_vsseg2e32_v_u32m4x2(data, __riscv_vcreate_v_u32m4x2(x, y), vl);
    }
}
