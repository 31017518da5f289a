// SPDX-License-Identifier: Apache-2.0
#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

// x / 255 = x * 0x8081 >> 23 for all x of 16 bits.
static vuint8m2_t mixed(vuint8m2_t over, vuint8m2_t under, vuint8m2_t alpha, vuint8m2_t rest,
                        size_t vl) {
    vuint16m4_t sum = __riscv_vwmulu_vv_u16m4(over, alpha, vl);
    sum = __riscv_vwmaccu_vv_u16m4(sum, under, rest, vl);
    sum = __riscv_vmulhu_vx_u16m4(__riscv_vadd_vx_u16m4(sum, 127, vl), 0x8081, vl);
    return __riscv_vnsrl_wx_u8m2(sum, 7, vl);
}

void hand(const uint8_t *over, const uint8_t *under, uint8_t *out, size_t n) {
    vuint8m2_t opaque = __riscv_vmv_v_x_u8m2(255, __riscv_vsetvlmax_e8m2());
    for (size_t vl; n; n -= vl, over += 4 * vl, under += 4 * vl, out += 4 * vl) {
        vl = __riscv_vsetvl_e8m2(n);
        vuint8m2x4_t o = __riscv_vlseg4e8_v_u8m2x4(over, vl),
                     u = __riscv_vlseg4e8_v_u8m2x4(under, vl);
        vuint8m2_t alpha = __riscv_vget_v_u8m2x4_u8m2(o, 3), rest = __riscv_vnot_v_u8m2(alpha, vl);
#define CHANNEL(c)                                                                                 \
    mixed(__riscv_vget_v_u8m2x4_u8m2(o, c), __riscv_vget_v_u8m2x4_u8m2(u, c), alpha, rest, vl)
        __riscv_vsseg4e8_v_u8m2x4(
            out, __riscv_vcreate_v_u8m2x4(CHANNEL(0), CHANNEL(1), CHANNEL(2), opaque), vl);
    }
}
