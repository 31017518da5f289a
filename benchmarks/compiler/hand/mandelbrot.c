// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#define W 256
#define H 192
#define MAXIT 64
#define ARGS                                                                                       \
    int *restrict out, int width, int height, float x0, float y0, float dx, float dy, int max_iter
#ifdef BENCH_PLAIN
void BENCH_PLAIN(ARGS) {
    for (int py = 0; py < height; py++)
        for (int px = 0; px < width; px++) {
            float cr = x0 + px * dx, ci = y0 + py * dy, zr = 0.0f, zi = 0.0f;
            int it = 0;
            while (it < max_iter && zr * zr + zi * zi <= 4.0f) {
                float t = zr * zr - zi * zi + cr;
                zi = 2.0f * zr * zi + ci;
                zr = t;
                it++;
            }
            out[py * width + px] = it;
        }
}
#else
#include <riscv_vector.h>
void plain_scalar(ARGS);
void plain_autovec(ARGS);

// lane = pixel.  |z| only grows once it passed 2 (also through inf/NaN, where the compare is
// false), so z needs no masking: the count is added under the compare mask. step: count the lanes
// still inside, then advance z
#define STEP(L, B)                                                                                 \
    {                                                                                              \
        vfloat32##L##_t q = __riscv_vfmul_vv_f32##L(zi, zi, vl);                                   \
        vfloat32##L##_t t = __riscv_vfsub_vv_f32##L(cr, q, vl);                                    \
        q = __riscv_vfmacc_vv_f32##L(q, zr, zr, vl);                                               \
        in = __riscv_vmfle_vf_f32##L##_##B(q, 4.0f, vl);                                           \
        it = __riscv_vadd_vx_i32##L##_mu(in, it, it, 1, vl);                                       \
        t = __riscv_vfmacc_vv_f32##L(t, zr, zr, vl);                                               \
        zr = __riscv_vfadd_vv_f32##L(zr, zr, vl);                                                  \
        zi = __riscv_vfadd_vf_f32##L(__riscv_vfmul_vv_f32##L(zi, zr, vl), ci, vl);                 \
        zr = t;                                                                                    \
    }
// UN steps between two "all lanes done?" tests
#define DEF(NAME, L, B, UN)                                                                        \
    NOINLINE void NAME(ARGS) {                                                                     \
        for (long py = 0; py < height; py++) {                                                     \
            float ci = y0 + py * dy;                                                               \
            size_t vl;                                                                             \
            for (long px = 0; px < width; px += vl) {                                              \
                vl = __riscv_vsetvl_e32##L(width - px);                                            \
                vint32##L##_t ix = __riscv_vadd_vx_i32##L(                                         \
                    __riscv_vreinterpret_v_u32##L##_i32##L(__riscv_vid_v_u32##L(vl)), px, vl);     \
                vfloat32##L##_t cr = __riscv_vfmv_v_f_f32##L(x0, vl);                              \
                cr = __riscv_vfmacc_vf_f32##L(cr, dx, __riscv_vfcvt_f_x_v_f32##L(ix, vl), vl);     \
                vfloat32##L##_t zr = __riscv_vfmv_v_f_f32##L(0, vl), zi = zr;                      \
                vint32##L##_t it = __riscv_vmv_v_x_i32##L(0, vl);                                  \
                vbool##B##_t in;                                                                   \
                long k = max_iter;                                                                 \
                for (; k >= UN; k -= UN) {                                                         \
                    _Pragma("clang loop unroll(full)") for (int u = 0; u < UN; u++)                \
                        STEP(L, b##B) if (__riscv_vfirst_m_b##B(in, vl) < 0) {                     \
                        k = 0;                                                                     \
                        break;                                                                     \
                    }                                                                              \
                }                                                                                  \
                for (; k > 0; k--)                                                                 \
                    STEP(L, b##B)                                                                  \
                __riscv_vse32_v_i32##L(out + py * width + px, it, vl);                             \
            }                                                                                      \
        }                                                                                          \
    }
DEF(spmd_m4, m4, 8, 4)
DEF(spmd_m2, m2, 16, 4)

const char *bench_name = "mandelbrot";
static int32_t out[W * H], ref[W * H];
void bench_main(void) {
    float x0 = -2.25f, y0 = -1.125f, dx = 3.0f / W, dy = 2.25f / H;
#define PREP memset(out, 0, sizeof out)
#define A out, W, H, x0, y0, dx, dy, MAXIT
#define ERR frac_diff_i32(out, ref, W *H), 0.01
    RUN("scalar", W * H, PREP, plain_scalar(A), 0, 0);
    memcpy(ref, out, sizeof out);
    RUN("autovec", W * H, PREP, plain_autovec(A), ERR);
    RUN("hand_spmd", W * H, PREP, spmd_m4(A), ERR);
    RUN("x_m2", W * H, PREP, spmd_m2(A), ERR);
    RUN("hand", W * H, PREP, spmd_m4(A), ERR);
}
#endif
