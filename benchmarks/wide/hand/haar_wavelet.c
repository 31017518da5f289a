// SPDX-License-Identifier: Apache-2.0
#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

void hand(const int16_t *in, int16_t *low, int16_t *high, size_t n) {
    for (size_t vl; n; n -= vl, in += 2 * vl, low += vl, high += vl) {
        vl = __riscv_vsetvl_e16m4(n);
        vint16m4x2_t pair = __riscv_vlseg2e16_v_i16m4x2(in, vl);
        vint16m4_t x = __riscv_vget_v_i16m4x2_i16m4(pair, 0);
        vint16m4_t d = __riscv_vsub_vv_i16m4(__riscv_vget_v_i16m4x2_i16m4(pair, 1), x, vl);
        __riscv_vse16_v_i16m4(high, d, vl);
        __riscv_vse16_v_i16m4(low, __riscv_vadd_vv_i16m4(x, __riscv_vsra_vx_i16m4(d, 1, vl), vl),
                              vl);
    }
}
