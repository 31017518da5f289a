// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#define N 10000
#define GLOBAL 10240 // work-items launched
#define ARGS                                                                                       \
    size_t gsize, const float *restrict a, const float *restrict b, float *restrict c, uint32_t n
#ifdef BENCH_PLAIN
void BENCH_PLAIN(ARGS) {
    for (size_t g = 0; g < gsize; g++) {
        uint32_t i = (uint32_t)g;
        if (i >= n)
            continue;
        c[i] = a[i] + b[i];
    }
}
#else
#include <riscv_vector.h>
void plain_scalar(ARGS);
void plain_autovec(ARGS);

NOINLINE void hand(ARGS) {
    size_t left = n < gsize ? n : gsize;
    size_t vl = __riscv_vsetvlmax_e32m8();
    for (const float *e = a + (left & -(4 * vl)); a != e;) { // VLMAX is a power of two
#pragma clang loop unroll(full)
        for (int u = 0; u < 4; u++) {
            vfloat32m8_t va = __riscv_vle32_v_f32m8(a, vl);
            vfloat32m8_t vb = __riscv_vle32_v_f32m8(b, vl);
            __riscv_vse32_v_f32m8(c, __riscv_vfadd_vv_f32m8(va, vb, vl), vl);
            a += vl;
            b += vl;
            c += vl;
        }
    }
    left &= 4 * vl - 1;
    while (left) {
        vl = __riscv_vsetvl_e32m8(left);
        vfloat32m8_t va = __riscv_vle32_v_f32m8(a, vl);
        vfloat32m8_t vb = __riscv_vle32_v_f32m8(b, vl);
        __riscv_vse32_v_f32m8(c, __riscv_vfadd_vv_f32m8(va, vb, vl), vl);
        a += vl;
        b += vl;
        c += vl;
        left -= vl;
    }
}

const char *bench_name = "vecadd";
static float a[GLOBAL], b[GLOBAL], c[GLOBAL], ref[GLOBAL];
void bench_main(void) {
    lcg_seed(12345);
    for (int i = 0; i < N; i++)
        a[i] = lcg_range(-1, 1);
    for (int i = 0; i < N; i++)
        b[i] = lcg_range(-1, 1);
#define PREP memset(c, 0, sizeof c)
    RUN("scalar", GLOBAL, PREP, plain_scalar(GLOBAL, a, b, c, N), 0, 0);
    memcpy(ref, c, sizeof c);
    RUN("autovec", GLOBAL, PREP, plain_autovec(GLOBAL, a, b, c, N), err_f32(c, ref, GLOBAL), 0);
    RUN("hand_spmd", GLOBAL, PREP, hand(GLOBAL, a, b, c, N), err_f32(c, ref, GLOBAL), 0);
    RUN("hand", GLOBAL, PREP, hand(GLOBAL, a, b, c, N), err_f32(c, ref, GLOBAL), 0);
}
#endif
