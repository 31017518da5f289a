// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#define W 256
#define H 192
#define TILE 32
#define ROWS 8
#define ARGS const float *restrict in, float *restrict out, int width, int height
#ifdef BENCH_PLAIN
void BENCH_PLAIN(ARGS) {
    float tile[TILE][TILE + 1];
    for (int gy = 0; gy < height; gy += TILE)
        for (int gx = 0; gx < width; gx += TILE) {
            for (int ly = 0; ly < ROWS; ly++)
                for (int lx = 0; lx < TILE; lx++)
                    for (int j = 0; j < TILE; j += ROWS)
                        tile[ly + j][lx] = in[(gy + ly + j) * width + gx + lx];
            for (int ly = 0; ly < ROWS; ly++)
                for (int lx = 0; lx < TILE; lx++)
                    for (int j = 0; j < TILE; j += ROWS)
                        out[(gx + ly + j) * height + gy + lx] = tile[lx][ly + j];
        }
}
#else
#include <riscv_vector.h>
void plain_scalar(ARGS);
void plain_autovec(ARGS);

// lane = lx (up to 32 work-items of a tile row); the tile goes through local memory as written.
static float tile[TILE][TILE + 1];
NOINLINE void hand_spmd(ARGS) {
    for (long gy = 0; gy < height; gy += TILE)
        for (long gx = 0; gx < width; gx += TILE)
            for (int phase = 0; phase < 2; phase++)
                for (size_t lx = 0, vl; lx < TILE; lx += vl) {
                    vl = __riscv_vsetvl_e32m8(TILE - lx);
                    if (phase == 0) {
                        const float *p = in + gy * width + gx + lx;
                        float *t = &tile[0][lx];
                        for (float *te = t + TILE * (TILE + 1); t != te;)
#pragma clang loop unroll(full)
                            for (int u = 0; u < 4; u++, p += width, t += TILE + 1)
                                __riscv_vse32_v_f32m8(t, __riscv_vle32_v_f32m8(p, vl), vl);
                    } else {
                        const float *t = &tile[lx][0];
                        float *o = out + gx * height + gy + lx;
                        for (const float *te = t + TILE; t != te;)
#pragma clang loop unroll(full)
                            for (int u = 0; u < 4; u++, o += height, t++)
                                __riscv_vse32_v_f32m8(
                                    o, __riscv_vlse32_v_f32m8(t, (TILE + 1) * 4, vl), vl);
                    }
                }
}
// No tile: strided loads down a column, unit-stride stores.
NOINLINE void hand(ARGS) {
    for (size_t y = 0, vl; y < (size_t)height; y += vl) {
        vl = __riscv_vsetvl_e32m8(height - y);
        const float *p = in + y * width, *e = p + width;
        float *o = out + y;
#pragma clang loop unroll_count(4)
        for (; p != e; p++, o += height)
            __riscv_vse32_v_f32m8(o, __riscv_vlse32_v_f32m8(p, width * 4, vl), vl);
    }
}

const char *bench_name = "transpose";
static float in[W * H], out[W * H], ref[W * H];
void bench_main(void) {
    lcg_seed(12345);
    for (int i = 0; i < W * H; i++)
        in[i] = lcg_range(-1, 1);
#define PREP memset(out, 0, sizeof out)
#define A in, out, W, H
#define ERR err_f32(out, ref, W *H), 0
    RUN("scalar", W * H / 4, PREP, plain_scalar(A), 0, 0);
    memcpy(ref, out, sizeof out);
    RUN("autovec", W * H / 4, PREP, plain_autovec(A), ERR);
    RUN("hand_spmd", W * H / 4, PREP, hand_spmd(A), ERR);
    RUN("hand", W * H / 4, PREP, hand(A), ERR);
}
#endif
