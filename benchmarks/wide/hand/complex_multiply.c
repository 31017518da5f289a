// SPDX-License-Identifier: Apache-2.0
#include <riscv_vector.h>
#include <stddef.h>

void hand(const float *a, const float *b, float *c, size_t n) {
    for (size_t vl; n; n -= vl, a += 2 * vl, b += 2 * vl, c += 2 * vl) {
        vl = __riscv_vsetvl_e32m4(n);
        vfloat32m4x2_t x = __riscv_vlseg2e32_v_f32m4x2(a, vl);
        vfloat32m4x2_t y = __riscv_vlseg2e32_v_f32m4x2(b, vl);
        vfloat32m4_t xr = __riscv_vget_v_f32m4x2_f32m4(x, 0),
                     xi = __riscv_vget_v_f32m4x2_f32m4(x, 1);
        vfloat32m4_t yr = __riscv_vget_v_f32m4x2_f32m4(y, 0),
                     yi = __riscv_vget_v_f32m4x2_f32m4(y, 1);
        vfloat32m4_t re = __riscv_vfmul_vv_f32m4(xr, yr, vl),
                     im = __riscv_vfmul_vv_f32m4(xr, yi, vl);
        re = __riscv_vfnmsac_vv_f32m4(re, xi, yi, vl);
        im = __riscv_vfmacc_vv_f32m4(im, xi, yr, vl);
        __riscv_vsseg2e32_v_f32m4x2(c, __riscv_vcreate_v_f32m4x2(re, im), vl);
    }
}
