// SPDX-License-Identifier: Apache-2.0
// HANDFLAGS: -mllvm -enable-misched=false
#include "bench.h"
#define W 120
#define H 120
#define GW 128 // launched range
#define GH 128
#define ARGS                                                                                       \
    const float *restrict in, float *restrict out, const float *restrict coef, int width, int height
#ifdef BENCH_PLAIN
void BENCH_PLAIN(ARGS) {
    for (int y = 0; y < GH; y++)
        for (int x = 0; x < GW; x++) {
            if (x >= width || y >= height)
                continue;
            int pitch = width + 4;
            float sum = 0.0f;
            for (int j = 0; j < 5; j++)
                for (int i = 0; i < 5; i++)
                    sum += in[(y + j) * pitch + x + i] * coef[j * 5 + i];
            out[y * width + x] = sum;
        }
}
#else
#include <riscv_vector.h>
void plain_scalar(ARGS);
void plain_autovec(ARGS);

// lane = output pixel of a row; 25 loads and 25 fma per strip, coefficients in scalar registers.
NOINLINE void hand_spmd(ARGS) {
    float c[25];
    for (int i = 0; i < 25; i++)
        c[i] = coef[i];
    size_t pitch = width + 4;
    for (long y = 0; y < height; y++) {
        const float *r = in + y * pitch;
        float *o = out + y * width;
        for (size_t n = width, vl; n; n -= vl, r += vl, o += vl) {
            vl = __riscv_vsetvl_e32m8(n);
            vfloat32m8_t s;
            const float *q = r;
#pragma clang loop unroll(full)
            for (int j = 0; j < 5; j++, q += pitch)
#pragma clang loop unroll(full)
                for (int i = 0; i < 5; i++) {
                    vfloat32m8_t v = __riscv_vle32_v_f32m8(q + i, vl);
                    s = i + j ? __riscv_vfmacc_vf_f32m8(s, c[5 * j + i], v, vl)
                              : __riscv_vfmul_vf_f32m8(v, c[0], vl);
                }
            __riscv_vse32_v_f32m8(o, s, vl);
        }
    }
}

// Three output rows share seven input rows; the horizontal neighbours come from in-place register
// slides, so a strip of vl input columns yields vl-4 outputs.
static inline void rows3_slide(const float *restrict r, float *restrict o, const float *restrict c,
                               size_t pitch, size_t width) {
    size_t n = width;
    while (n) {
        size_t vl = __riscv_vsetvl_e32m8(n + 4);
        vfloat32m8_t s0, s1, s2;
        const float *q = r;
#pragma clang loop unroll(full)
        for (int j = 0; j < 7; j++, q += pitch) {
            vfloat32m8_t v = __riscv_vle32_v_f32m8(q, vl);
#pragma clang loop unroll(full)
            for (int i = 0; i < 5; i++) {
                if (i)
                    v = __riscv_vfslide1down_vf_f32m8(v, c[0], vl); // last lane: any value
#define ACC(s, jj)                                                                                 \
    if ((jj) >= 0 && (jj) < 5)                                                                     \
    s = (jj) + i ? __riscv_vfmacc_vf_f32m8(s, c[5 * (jj) + i], v, vl)                              \
                 : __riscv_vfmul_vf_f32m8(v, c[0], vl)
                ACC(s0, j);
                ACC(s1, j - 1);
                ACC(s2, j - 2);
            }
        }
        size_t k = vl - 4;
        __riscv_vse32_v_f32m8(o, s0, k);
        __riscv_vse32_v_f32m8(o + width, s1, k);
        __riscv_vse32_v_f32m8(o + 2 * width, s2, k);
        n -= k;
        r += k;
        o += k;
    }
}
// The same with 35 unit-stride loads instead of slides: a strip yields all vl outputs.
static inline void rows3_load(const float *restrict r, float *restrict o, const float *restrict c,
                              size_t pitch, size_t width) {
    for (size_t n = width, vl; n; n -= vl, r += vl, o += vl) {
        vl = __riscv_vsetvl_e32m8(n);
        vfloat32m8_t s0, s1, s2;
        const float *q = r;
#pragma clang loop unroll(full)
        for (int j = 0; j < 7; j++, q += pitch)
#pragma clang loop unroll(full)
            for (int i = 0; i < 5; i++) {
                vfloat32m8_t v = __riscv_vle32_v_f32m8(q + i, vl);
                ACC(s0, j);
                ACC(s1, j - 1);
                ACC(s2, j - 2);
            }
        __riscv_vse32_v_f32m8(o, s0, vl);
        __riscv_vse32_v_f32m8(o + width, s1, vl);
        __riscv_vse32_v_f32m8(o + 2 * width, s2, vl);
    }
}
NOINLINE void hand(ARGS) {
    float c[25];
    for (int i = 0; i < 25; i++)
        c[i] = coef[i];
    size_t pitch = width + 4;
    long y = 0;
    size_t vm = __riscv_vsetvlmax_e32m8(), w = width;
    // about 122 instructions per slide strip, 145 per load strip
    if ((w + vm - 5) / (vm - 4) * 122 < (w + vm - 1) / vm * 145)
        for (; y + 3 <= height; y += 3)
            rows3_slide(in + y * pitch, out + y * width, c, pitch, width);
    else
        for (; y + 3 <= height; y += 3)
            rows3_load(in + y * pitch, out + y * width, c, pitch, width);
    if (y < height)
        hand_spmd(in + y * pitch, out + y * width, coef, width, (int)(height - y));
}

const char *bench_name = "conv2d";
static float in[(W + 4) * (H + 4)], out[W * H], ref[W * H], coef[25];
void bench_main(void) {
    lcg_seed(12345);
    for (int i = 0; i < (W + 4) * (H + 4); i++)
        in[i] = lcg_range(-1, 1);
    for (int i = 0; i < 25; i++)
        coef[i] = lcg_range(-1, 1);
#define PREP memset(out, 0, sizeof out)
#define A in, out, coef, W, H
#define ERR err_f32(out, ref, W *H), 1e-5
    RUN("scalar", GW * GH, PREP, plain_scalar(A), 0, 0);
    memcpy(ref, out, sizeof out);
    RUN("autovec", GW * GH, PREP, plain_autovec(A), ERR);
    RUN("hand_spmd", GW * GH, PREP, hand_spmd(A), ERR);
    RUN("hand", GW * GH, PREP, hand(A), ERR);
}
#endif
