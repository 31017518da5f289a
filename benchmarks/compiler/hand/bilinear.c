// SPDX-License-Identifier: Apache-2.0
// HANDFLAGS: -mllvm -enable-misched=false
#include "bench.h"
#define SW 128
#define SH 96
#define DW 200
#define DH 150
#define GW 208 // launched range (multiples of 16)
#define GH 160
#define ARGS                                                                                       \
    const uint8_t *restrict src, uint8_t *restrict dst, int sw, int sh, int dw, int dh, float sx,  \
        float sy
static inline float clampf(float v, float lo, float hi) { return v < lo ? lo : v > hi ? hi : v; }
#ifdef BENCH_PLAIN
void BENCH_PLAIN(ARGS) {
    for (int y = 0; y < GH; y++)
        for (int x = 0; x < GW; x++) {
            if (x >= dw || y >= dh)
                continue;
            float fx = clampf((x + 0.5f) * sx - 0.5f, 0.0f, (float)(sw - 1));
            float fy = clampf((y + 0.5f) * sy - 0.5f, 0.0f, (float)(sh - 1));
            int x0 = (int)fx, y0 = (int)fy;
            int x1 = x0 + 1 < sw - 1 ? x0 + 1 : sw - 1, y1 = y0 + 1 < sh - 1 ? y0 + 1 : sh - 1;
            float ax = fx - x0, ay = fy - y0;
            const uint8_t *p00 = src + 4 * (y0 * sw + x0), *p01 = src + 4 * (y0 * sw + x1);
            const uint8_t *p10 = src + 4 * (y1 * sw + x0), *p11 = src + 4 * (y1 * sw + x1);
            uint8_t *o = dst + 4 * (y * dw + x);
            for (int c = 0; c < 4; c++) {
                float a = p00[c], b = p01[c], d = p10[c], e = p11[c];
                float top = a + (b - a) * ax, bot = d + (e - d) * ax;
                float v = top + (bot - top) * ay;
                o[c] = (uint8_t)(int)((v + 12582912.0f) - 12582912.0f); // round to nearest even
            }
        }
}
#else
#include <riscv_vector.h>
void plain_scalar(ARGS);
void plain_autovec(ARGS);

// lane = destination pixel of one row, float arithmetic as written; y-dependent values are uniform.
// A pixel is one 32-bit gather, channels are unpacked with shifts and masks.  At m4 the four
// pixels, the weight and three temporaries are all 32 registers, so the packed result is collected
// in memory.
#define UNPACK(p, c, F)                                                                            \
    __riscv_vfcvt_f_xu_v_f32##F(                                                                   \
        (c) == 0   ? __riscv_vand_vx_u32##F(p, 255, vl)                                            \
        : (c) == 3 ? __riscv_vsrl_vx_u32##F(p, 24, vl)                                             \
                   : __riscv_vand_vx_u32##F(__riscv_vsrl_vx_u32##F(p, 8 * (c), vl), 255, vl),      \
        vl)
#define CH(c, F)                                                                                   \
    {                                                                                              \
        vfloat32##F##_t a = UNPACK(p00, c, F), d = UNPACK(p01, c, F);                              \
        a = __riscv_vfmacc_vv_f32##F(a, __riscv_vfsub_vv_f32##F(d, a, vl), ax, vl);                \
        d = UNPACK(p10, c, F);                                                                     \
        vfloat32##F##_t e = UNPACK(p11, c, F);                                                     \
        d = __riscv_vfmacc_vv_f32##F(d, __riscv_vfsub_vv_f32##F(e, d, vl), ax, vl);                \
        a = __riscv_vfmacc_vf_f32##F(a, ay, __riscv_vfsub_vv_f32##F(d, a, vl), vl);                \
        vuint32##F##_t n = __riscv_vfcvt_xu_f_v_u32##F(a, vl);                                     \
        if (c)                                                                                     \
            n = __riscv_vmacc_vx_u32##F(COLLECT ? __riscv_vle32_v_u32##F(o, vl) : px, 1u << 8 * c, \
                                        n, vl);                                                    \
        if (COLLECT || c == 3)                                                                     \
            __riscv_vse32_v_u32##F(o, n, vl);                                                      \
        else                                                                                       \
            px = n;                                                                                \
    }
#define DEF(F, COLLECT_)                                                                           \
    NOINLINE void spmd_##F(ARGS) {                                                                 \
        enum { COLLECT = COLLECT_ };                                                               \
        for (long y = 0; y < dh; y++) {                                                            \
            float fy = clampf((y + 0.5f) * sy - 0.5f, 0.0f, (float)(sh - 1));                      \
            int y0 = (int)fy, y1 = y0 + 1 < sh - 1 ? y0 + 1 : sh - 1;                              \
            float ay = fy - y0;                                                                    \
            const uint32_t *q0 = (const uint32_t *)src + y0 * sw,                                  \
                           *q1 = (const uint32_t *)src + y1 * sw;                                  \
            uint32_t *o = (uint32_t *)dst + y * dw;                                                \
            size_t vl;                                                                             \
            for (long x = 0; x < dw; x += vl, o += vl) {                                           \
                vl = __riscv_vsetvl_e32##F(dw - x);                                                \
                vfloat32##F##_t fx = __riscv_vfcvt_f_xu_v_f32##F(                                  \
                    __riscv_vadd_vx_u32##F(__riscv_vid_v_u32##F(vl), x, vl), vl);                  \
                fx = __riscv_vfsub_vf_f32##F(                                                      \
                    __riscv_vfmul_vf_f32##F(__riscv_vfadd_vf_f32##F(fx, 0.5f, vl), sx, vl), 0.5f,  \
                    vl);                                                                           \
                fx = __riscv_vfmin_vf_f32##F(__riscv_vfmax_vf_f32##F(fx, 0, vl), (float)(sw - 1),  \
                                             vl);                                                  \
                vuint32##F##_t i = __riscv_vfcvt_rtz_xu_f_v_u32##F(fx, vl);                        \
                vfloat32##F##_t ax =                                                               \
                    __riscv_vfsub_vv_f32##F(fx, __riscv_vfcvt_f_xu_v_f32##F(i, vl), vl);           \
                vuint32##F##_t k =                                                                 \
                    __riscv_vminu_vx_u32##F(__riscv_vadd_vx_u32##F(i, 1, vl), sw - 1, vl);         \
                i = __riscv_vsll_vx_u32##F(i, 2, vl);                                              \
                k = __riscv_vsll_vx_u32##F(k, 2, vl);                                              \
                vuint32##F##_t p00 = __riscv_vluxei32_v_u32##F(q0, i, vl);                         \
                vuint32##F##_t p10 = __riscv_vluxei32_v_u32##F(q1, i, vl);                         \
                vuint32##F##_t p01 = __riscv_vluxei32_v_u32##F(q0, k, vl);                         \
                vuint32##F##_t p11 = __riscv_vluxei32_v_u32##F(q1, k, vl);                         \
                vuint32##F##_t px;                                                                 \
                CH(0, F) CH(1, F) CH(2, F) CH(3, F)                                                \
            }                                                                                      \
        }                                                                                          \
    }
DEF(m2, 0)
DEF(m4, 1)

// Column offsets and weights once per image; 8-bit fixed point on packed channels:
// vertical blend with 7-bit scalar weights (u8 -> u16), horizontal one with Q15 vsmul, rounded
// narrowing.
static uint32_t col0[4096], col1[4096];
static int16_t wx[4 * 4096]; // dst_w <= 4096
NOINLINE void hand(ARGS) {
    for (size_t x = 0, vl; x < (size_t)dw; x += vl) {
        vl = __riscv_vsetvl_e32m4(dw - x);
        vfloat32m4_t fx =
            __riscv_vfcvt_f_xu_v_f32m4(__riscv_vadd_vx_u32m4(__riscv_vid_v_u32m4(vl), x, vl), vl);
        fx = __riscv_vfsub_vf_f32m4(
            __riscv_vfmul_vf_f32m4(__riscv_vfadd_vf_f32m4(fx, 0.5f, vl), sx, vl), 0.5f, vl);
        fx = __riscv_vfmin_vf_f32m4(__riscv_vfmax_vf_f32m4(fx, 0, vl), (float)(sw - 1), vl);
        vuint32m4_t i = __riscv_vfcvt_rtz_xu_f_v_u32m4(fx, vl);
        vfloat32m4_t ax = __riscv_vfsub_vv_f32m4(fx, __riscv_vfcvt_f_xu_v_f32m4(i, vl), vl);
        vuint32m4_t k = __riscv_vminu_vx_u32m4(__riscv_vadd_vx_u32m4(i, 1, vl), sw - 1, vl);
        __riscv_vse32_v_u32m4(col0 + x, __riscv_vsll_vx_u32m4(i, 2, vl), vl);
        __riscv_vse32_v_u32m4(col1 + x, __riscv_vsll_vx_u32m4(k, 2, vl), vl);
        vuint32m4_t w = __riscv_vfcvt_xu_f_v_u32m4(__riscv_vfmul_vf_f32m4(ax, 32767.0f, vl), vl);
        w = __riscv_vmadd_vx_u32m4(w, 65537, __riscv_vmv_v_x_u32m4(0, vl), vl); // both halves
        uint32_t *o = (uint32_t *)(wx + 4 * x);
        __riscv_vsse32_v_u32m4(o, 8, w, vl);
        __riscv_vsse32_v_u32m4(o + 1, 8, w, vl);
    }
    for (long y = 0; y < dh; y++) {
        float fy = clampf((y + 0.5f) * sy - 0.5f, 0.0f, (float)(sh - 1));
        int y0 = (int)fy, y1 = y0 + 1 < sh - 1 ? y0 + 1 : sh - 1;
        uint8_t w1 = (uint8_t)(int)((fy - y0) * 128.0f + 0.5f), w0 = 128 - w1;
        const uint32_t *q0 = (const uint32_t *)(src + 4 * y0 * sw),
                       *q1 = (const uint32_t *)(src + 4 * y1 * sw);
        uint8_t *o = dst + 4 * y * dw;
        const uint32_t *c0 = col0, *c1 = col1;
        const int16_t *w = wx;
        size_t vl, n = dw;
        for (; n; n -= vl, c0 += vl, c1 += vl, w += 4 * vl, o += 4 * vl) {
            vl = __riscv_vsetvl_e32m4(n);
#define PIX(q, i) __riscv_vreinterpret_v_u32m4_u8m4(__riscv_vluxei32_v_u32m4(q, i, vl))
            size_t b = 4 * vl;
            vuint32m4_t i = __riscv_vle32_v_u32m4(c0, vl);
            vuint8m4_t p = PIX(q0, i), r = PIX(q1, i);
            i = __riscv_vle32_v_u32m4(c1, vl);
            vuint8m4_t s = PIX(q0, i), t = PIX(q1, i);
            vuint16m8_t l = __riscv_vwmulu_vx_u16m8(p, w0, b);
            l = __riscv_vwmaccu_vx_u16m8(l, w1, r, b);
            vuint16m8_t h = __riscv_vwmulu_vx_u16m8(s, w0, b);
            h = __riscv_vwmaccu_vx_u16m8(h, w1, t, b);
            vint16m8_t d = __riscv_vreinterpret_v_u16m8_i16m8(__riscv_vsub_vv_u16m8(h, l, b));
            d = __riscv_vsmul_vv_i16m8(d, __riscv_vle16_v_i16m8(w, b), __RISCV_VXRM_RNU, b);
            l = __riscv_vadd_vv_u16m8(l, __riscv_vreinterpret_v_i16m8_u16m8(d), b);
            __riscv_vse8_v_u8m4(o, __riscv_vnclipu_wx_u8m4(l, 7, __RISCV_VXRM_RNU, b), b);
        }
    }
}

const char *bench_name = "bilinear";
static uint8_t src[4 * SW * SH] __attribute__((aligned(64))),
    dst[4 * DW * DH] __attribute__((aligned(64))), ref[4 * DW * DH];
void bench_main(void) {
    lcg_seed(12345);
    for (int i = 0; i < SW * SH; i++) {
        uint32_t u = lcg_next();
        for (int c = 0; c < 4; c++)
            src[4 * i + c] = (uint8_t)((u >> (8 + 6 * c)) & 255);
    }
#define PREP memset(dst, 0, sizeof dst)
#define A src, dst, SW, SH, DW, DH, (float)SW / DW, (float)SH / DH
#define ERR err_u8(dst, ref, 4 * DW * DH), 1
    RUN("scalar", GW * GH, PREP, plain_scalar(A), 0, 0);
    memcpy(ref, dst, sizeof dst);
    RUN("autovec", GW * GH, PREP, plain_autovec(A), ERR);
    RUN("hand_spmd", GW * GH, PREP, spmd_m4(A), ERR);
    RUN("x_m2", GW * GH, PREP, spmd_m2(A), ERR);
    RUN("hand", GW * GH, PREP, hand(A), ERR);
}
#endif
