// SPDX-License-Identifier: Apache-2.0
#include <riscv_vector.h>
#include <stddef.h>
#include <stdint.h>

typedef vuint8m2_t V;
#define SORT(a, b)                                                                                 \
    do {                                                                                           \
        V least = __riscv_vminu_vv_u8m2(a, b, vl);                                                 \
        b = __riscv_vmaxu_vv_u8m2(a, b, vl);                                                       \
        a = least;                                                                                 \
    } while (0)
#define ROW(l, m, r, row)                                                                          \
    V m = __riscv_vle8_v_u8m2(row + x, vl);                                                        \
    V l = __riscv_vslide1up_vx_u8m2(m, row[before], vl),                                           \
      r = __riscv_vslide1down_vx_u8m2(m, row[after], vl);

void hand(const uint8_t *in, uint8_t *out, size_t width, size_t height) {
    for (size_t y = 0; y < height; ++y) {
        const uint8_t *row = in + y * width, *up = y ? row - width : row;
        const uint8_t *down = y + 1 < height ? row + width : row;
        for (size_t x = 0, vl; x < width; x += vl) {
            vl = __riscv_vsetvl_e8m2(width - x);
            size_t before = x ? x - 1 : 0, after = x + vl < width ? x + vl : width - 1;
            ROW(p0, p1, p2, up)
            ROW(p3, p4, p5, row)
            ROW(p6, p7, p8, down)
            SORT(p1, p2);
            SORT(p4, p5);
            SORT(p7, p8);
            SORT(p0, p1);
            SORT(p3, p4);
            SORT(p6, p7);
            SORT(p1, p2);
            SORT(p4, p5);
            SORT(p7, p8);
            p3 = __riscv_vmaxu_vv_u8m2(p0, p3, vl);
            p5 = __riscv_vminu_vv_u8m2(p5, p8, vl);
            SORT(p4, p7);
            p6 = __riscv_vmaxu_vv_u8m2(p3, p6, vl);
            p4 = __riscv_vmaxu_vv_u8m2(p1, p4, vl);
            p2 = __riscv_vminu_vv_u8m2(p2, p5, vl);
            p4 = __riscv_vminu_vv_u8m2(p4, p7, vl);
            SORT(p4, p2);
            p4 = __riscv_vmaxu_vv_u8m2(p6, p4, vl);
            p4 = __riscv_vminu_vv_u8m2(p4, p2, vl);
            __riscv_vse8_v_u8m2(out + y * width + x, p4, vl);
        }
    }
}
