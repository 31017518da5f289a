// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#define N 16384
#define ARGS size_t n, float a, const float *restrict x, float *restrict y
#ifdef BENCH_PLAIN
void BENCH_PLAIN(ARGS) {
    for (size_t i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}
#else
#include <riscv_vector.h>
void plain_scalar(ARGS);
void plain_autovec(ARGS);

// Main loop: full registers, no vsetvli inside, 4x unrolled.  Tail: strip-mined.
NOINLINE void hand(ARGS) {
    size_t vl = __riscv_vsetvlmax_e32m8();
    for (const float *e = x + (n & -(4 * vl)); x != e;) { // VLMAX is a power of two
#pragma clang loop unroll(full)
        for (int u = 0; u < 4; u++) {
            vfloat32m8_t vx = __riscv_vle32_v_f32m8(x, vl);
            vfloat32m8_t vy = __riscv_vle32_v_f32m8(y, vl);
            vy = __riscv_vfmacc_vf_f32m8(vy, a, vx, vl);
            __riscv_vse32_v_f32m8(y, vy, vl);
            x += vl;
            y += vl;
        }
    }
    n &= 4 * vl - 1;
    while (n) {
        vl = __riscv_vsetvl_e32m8(n);
        vfloat32m8_t vx = __riscv_vle32_v_f32m8(x, vl);
        vfloat32m8_t vy = __riscv_vle32_v_f32m8(y, vl);
        vy = __riscv_vfmacc_vf_f32m8(vy, a, vx, vl);
        __riscv_vse32_v_f32m8(y, vy, vl);
        x += vl;
        y += vl;
        n -= vl;
    }
}

const char *bench_name = "saxpy";
static float x[N], y0[N], y[N], ref[N];
void bench_main(void) {
    lcg_seed(12345);
    for (int i = 0; i < N; i++)
        x[i] = lcg_range(-1, 1);
    for (int i = 0; i < N; i++)
        y0[i] = lcg_range(-1, 1);
    float a = 2.5f;
#define PREP memcpy(y, y0, sizeof y)
    RUN("scalar", N, PREP, plain_scalar(N, a, x, y), 0, 0);
    memcpy(ref, y, sizeof y);
    RUN("autovec", N, PREP, plain_autovec(N, a, x, y), err_f32(y, ref, N), 1e-6);
    RUN("hand_spmd", N, PREP, hand(N, a, x, y), err_f32(y, ref, N), 1e-6);
    RUN("hand", N, PREP, hand(N, a, x, y), err_f32(y, ref, N), 1e-6);
}
#endif
