// SPDX-License-Identifier: Apache-2.0
#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

static const uint8_t digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Of n groups of three bytes.
void hand(const uint8_t *in, uint8_t *out, size_t n) {
    for (size_t vl; n; n -= vl, in += 3 * vl, out += 4 * vl) {
        vl = __riscv_vsetvl_e8m2(n);
        vuint8m2x3_t p = __riscv_vlseg3e8_v_u8m2x3(in, vl);
        vuint8m2_t a = __riscv_vget_v_u8m2x3_u8m2(p, 0), b = __riscv_vget_v_u8m2x3_u8m2(p, 1);
        vuint8m2_t c = __riscv_vget_v_u8m2x3_u8m2(p, 2);
        vuint8m2_t i = __riscv_vsrl_vx_u8m2(a, 2, vl);
        vuint8m2_t j = __riscv_vand_vx_u8m2(
            __riscv_vor_vv_u8m2(__riscv_vsll_vx_u8m2(a, 4, vl), __riscv_vsrl_vx_u8m2(b, 4, vl), vl),
            63, vl);
        vuint8m2_t k = __riscv_vand_vx_u8m2(
            __riscv_vor_vv_u8m2(__riscv_vsll_vx_u8m2(b, 2, vl), __riscv_vsrl_vx_u8m2(c, 6, vl), vl),
            63, vl);
        vuint8m2_t l = __riscv_vand_vx_u8m2(c, 63, vl);
        vuint8m2x4_t text = __riscv_vcreate_v_u8m2x4(
            __riscv_vluxei8_v_u8m2(digits, i, vl), __riscv_vluxei8_v_u8m2(digits, j, vl),
            __riscv_vluxei8_v_u8m2(digits, k, vl), __riscv_vluxei8_v_u8m2(digits, l, vl));
        __riscv_vsseg4e8_v_u8m2x4(out, text, vl);
    }
}
