// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#define W 320
#define H 240
#define ARGS const uint8_t *restrict src, uint8_t *restrict dst, int width, int height
#ifdef BENCH_PLAIN
void BENCH_PLAIN(ARGS) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
                dst[y * width + x] = 0;
                continue;
            }
            const uint8_t *p = src + y * width + x;
            int a = p[-width - 1], b = p[-width], c = p[-width + 1];
            int d = p[-1], f = p[1];
            int g = p[width - 1], h = p[width], i = p[width + 1];
            int gx = (c + 2 * f + i) - (a + 2 * d + g);
            int gy = (g + 2 * h + i) - (a + 2 * b + c);
            int m = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
            dst[y * width + x] = (uint8_t)(m > 255 ? 255 : m);
        }
}
#else
#include <riscv_vector.h>
void plain_scalar(ARGS);
void plain_autovec(ARGS);

static inline vuint8m4_t mag_u8(vint16m8_t gx, vint16m8_t gy, size_t vl) {
    gx = __riscv_vmax_vv_i16m8(gx, __riscv_vneg_v_i16m8(gx, vl), vl);
    gy = __riscv_vmax_vv_i16m8(gy, __riscv_vneg_v_i16m8(gy, vl), vl);
    vuint16m8_t m = __riscv_vreinterpret_v_i16m8_u16m8(__riscv_vadd_vv_i16m8(gx, gy, vl));
    return __riscv_vnclipu_wx_u8m4(m, 0, __RISCV_VXRM_RDN, vl);
}
#define AS_I(x) __riscv_vreinterpret_v_u16m8_i16m8(x)
#define AS_U(x) __riscv_vreinterpret_v_i16m8_u16m8(x)
#define LD(p) __riscv_vle8_v_u8m4(p, vl)

static void zero_bytes(uint8_t *p, size_t n) {
    for (size_t vl; n; n -= vl, p += vl) {
        vl = __riscv_vsetvl_e8m8(n);
        __riscv_vse8_v_u8m8(p, __riscv_vmv_v_x_u8m8(0, vl), vl);
    }
}

// lane = pixel; every lane loads its own eight neighbours.
NOINLINE void hand_spmd(ARGS) {
    zero_bytes(dst, width);
    for (int y = 1; y < height - 1; y++) {
        const uint8_t *r0 = src + (y - 1) * width, *r1 = r0 + width, *r2 = r1 + width;
        uint8_t *o = dst + y * width;
        o[0] = 0;
        o[width - 1] = 0;
        o++;
        size_t vl;
        for (size_t n = width - 2; n; n -= vl, r0 += vl, r1 += vl, r2 += vl, o += vl) {
            vl = __riscv_vsetvl_e8m4(n);
            vuint8m4_t a = LD(r0), c = LD(r0 + 2), g = LD(r2), i = LD(r2 + 2);
            vuint16m8_t gx = __riscv_vwsubu_vv_u16m8(c, a, vl);
            vuint16m8_t gy = __riscv_vwsubu_vv_u16m8(g, a, vl);
            gx = __riscv_vwaddu_wv_u16m8(gx, i, vl);
            gx = __riscv_vwsubu_wv_u16m8(gx, g, vl);
            gy = __riscv_vwaddu_wv_u16m8(gy, i, vl);
            gy = __riscv_vwsubu_wv_u16m8(gy, c, vl);
            gx = __riscv_vwmaccu_vx_u16m8(gx, 2, LD(r1 + 2), vl);
            gx = AS_U(__riscv_vwmaccsu_vx_i16m8(AS_I(gx), -2, LD(r1), vl));
            gy = __riscv_vwmaccu_vx_u16m8(gy, 2, LD(r2 + 1), vl);
            gy = AS_U(__riscv_vwmaccsu_vx_i16m8(AS_I(gy), -2, LD(r0 + 1), vl));
            __riscv_vse8_v_u8m4(o, mag_u8(AS_I(gx), AS_I(gy), vl), vl);
        }
    }
    zero_bytes(dst + (height - 1) * width, width);
}

// Three loads per strip; horizontal neighbours come from register slides (cross-lane).  The
// interior is walked as one long row (strips cross row ends); what that puts in the border columns
// is then zeroed.
NOINLINE void hand(ARGS) {
    const uint8_t *r0 = src, *r1 = r0 + width, *r2 = r1 + width;
    uint8_t *o = dst + width + 1;
    size_t n = (size_t)width * (height - 2); // input columns left; each strip yields vl-2 outputs
    while (n > 2) {
        size_t vl = __riscv_vsetvl_e8m4(n);
        vuint8m4_t a = LD(r0), c = LD(r2);
        vuint16m8_t d = __riscv_vwsubu_vv_u16m8(c, a, vl); // vertical difference
        vuint16m8_t s = __riscv_vwaddu_vv_u16m8(c, a, vl); // vertical 1-2-1
        s = __riscv_vwmaccu_vx_u16m8(s, 2, LD(r1), vl);
        vint16m8_t gx =
            __riscv_vsub_vv_i16m8(AS_I(__riscv_vslidedown_vx_u16m8(s, 2, vl)), AS_I(s), vl);
        vint16m8_t e =
            __riscv_vadd_vv_i16m8(AS_I(d), AS_I(__riscv_vslide1down_vx_u16m8(d, 0, vl)), vl);
        vint16m8_t gy = __riscv_vadd_vv_i16m8(e, __riscv_vslide1down_vx_i16m8(e, 0, vl), vl);
        size_t k = vl - 2;
        __riscv_vse8_v_u8m4(o, mag_u8(gx, gy, vl), k);
        n -= k;
        r0 += k;
        r1 += k;
        r2 += k;
        o += k;
    }
    zero_bytes(dst, width);
    zero_bytes(dst + (height - 1) * width, width);
    uint8_t *p = dst + width; // left column, and the right column of the row before
    for (size_t m = height - 1, vl; m; m -= vl, p += vl * width) {
        vl = __riscv_vsetvl_e8m8(m);
        vuint8m8_t z = __riscv_vmv_v_x_u8m8(0, vl);
        __riscv_vsse8_v_u8m8(p, width, z, vl);
        __riscv_vsse8_v_u8m8(p - 1, width, z, vl);
    }
}

const char *bench_name = "sobel";
static uint8_t src[W * H], dst[W * H], ref[W * H];
void bench_main(void) {
    lcg_seed(12345);
    for (int i = 0; i < W * H; i++)
        src[i] = (uint8_t)((lcg_next() >> 24) >> ((i / 40) & 3));
#define PREP memset(dst, 7, sizeof dst)
    RUN("scalar", W * H, PREP, plain_scalar(src, dst, W, H), 0, 0);
    memcpy(ref, dst, sizeof dst);
    RUN("autovec", W * H, PREP, plain_autovec(src, dst, W, H), err_u8(dst, ref, W * H), 0);
    RUN("hand_spmd", W * H, PREP, hand_spmd(src, dst, W, H), err_u8(dst, ref, W * H), 0);
    RUN("hand", W * H, PREP, hand(src, dst, W, H), err_u8(dst, ref, W * H), 0);
}
#endif
