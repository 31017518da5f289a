// SPDX-License-Identifier: Apache-2.0
#include <riscv_vector.h>
#include <stddef.h>

static vfloat16m2_t row_of(vfloat16m2_t sum, const _Float16 *row, const _Float16 *filter, size_t x,
                           size_t width, size_t vl) {
    vfloat16m2_t here = __riscv_vle16_v_f16m2(row + x, vl);
    _Float16 before = x ? row[x - 1] : 0, after = x + vl < width ? row[x + vl] : 0;
    sum =
        __riscv_vfmacc_vf_f16m2(sum, filter[0], __riscv_vfslide1up_vf_f16m2(here, before, vl), vl);
    sum = __riscv_vfmacc_vf_f16m2(sum, filter[1], here, vl);
    return __riscv_vfmacc_vf_f16m2(sum, filter[2], __riscv_vfslide1down_vf_f16m2(here, after, vl),
                                   vl);
}

void hand(const _Float16 *in, const _Float16 *filters, _Float16 *out, size_t width, size_t height,
          size_t channels) {
    for (size_t c = 0; c < channels; ++c, in += width * height, out += width * height, filters += 9)
        for (size_t y = 0; y < height; ++y)
            for (size_t x = 0, vl; x < width; x += vl) {
                vl = __riscv_vsetvl_e16m2(width - x);
                vfloat16m2_t sum = __riscv_vfmv_v_f_f16m2(0, vl);
                if (y)
                    sum = row_of(sum, in + (y - 1) * width, filters, x, width, vl);
                sum = row_of(sum, in + y * width, filters + 3, x, width, vl);
                if (y + 1 < height)
                    sum = row_of(sum, in + (y + 1) * width, filters + 6, x, width, vl);
                __riscv_vse16_v_f16m2(out + y * width + x, __riscv_vfmax_vf_f16m2(sum, 0, vl), vl);
            }
}
