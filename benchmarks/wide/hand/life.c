// SPDX-License-Identifier: Apache-2.0
#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

void hand(const uint8_t *cells, uint8_t *next, size_t width, size_t height) {
    for (size_t y = 0; y < height; ++y) {
        const uint8_t *row = cells + y * width;
        const uint8_t *up = cells + (y ? y - 1 : height - 1) * width;
        const uint8_t *down = cells + (y + 1 < height ? y + 1 : 0) * width;
        for (size_t x = 0, vl; x < width; x += vl) {
            vl = __riscv_vsetvl_e8m8(width - x);
            size_t left = x ? x - 1 : width - 1, right = x + vl < width ? x + vl : 0;
            vuint8m8_t here = __riscv_vle8_v_u8m8(row + x, vl);
            vuint8m8_t column = __riscv_vadd_vv_u8m8(here, __riscv_vle8_v_u8m8(up + x, vl), vl);
            column = __riscv_vadd_vv_u8m8(column, __riscv_vle8_v_u8m8(down + x, vl), vl);
            vuint8m8_t sum =
                __riscv_vslide1up_vx_u8m8(column, row[left] + up[left] + down[left], vl);
            sum = __riscv_vadd_vv_u8m8(sum, __riscv_vsub_vv_u8m8(column, here, vl), vl);
            column = __riscv_vslide1down_vx_u8m8(column, row[right] + up[right] + down[right], vl);
            // Three neighbours, or two and a living cell: the sum with the cell's bit is 3.
            sum = __riscv_vor_vv_u8m8(__riscv_vadd_vv_u8m8(sum, column, vl), here, vl);
            vbool1_t lives = __riscv_vmseq_vx_u8m8_b1(sum, 3, vl);
            sum = __riscv_vmerge_vxm_u8m8(__riscv_vmv_v_x_u8m8(0, vl), 1, lives, vl);
            __riscv_vse8_v_u8m8(next + y * width + x, sum, vl);
        }
    }
}
