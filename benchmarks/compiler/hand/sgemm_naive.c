// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#define D 64
#define ARGS                                                                                       \
    const float *restrict A, const float *restrict B, float *restrict C, int M, int N, int K
#ifdef BENCH_PLAIN
void BENCH_PLAIN(ARGS) {
    for (int row = 0; row < M; row++)
        for (int col = 0; col < N; col++) {
            float acc = 0.0f;
            for (int k = 0; k < K; k++)
                acc += A[row * K + k] * B[k * N + col];
            C[row * N + col] = acc;
        }
}
#else
#include "../hand/sgemm_blocked.h"
void plain_scalar(ARGS);
void plain_autovec(ARGS);

// lane = column of one row of C; A[row][k] is uniform over the strip.  k unrolled by 8.
NOINLINE void hand_spmd(ARGS) {
    for (long row = 0; row < M; row++) {
        const float *arow = A + row * K;
        size_t vl;
        for (long j = 0; j < N; j += vl) {
            vl = __riscv_vsetvl_e32m8(N - j);
            vfloat32m8_t s = __riscv_vfmv_v_f_f32m8(0, vl);
            const float *b = B + j, *a = arow;
            for (const float *e = a + (K & ~7); a != e; a += 8) {
#pragma clang loop unroll(full)
                for (int u = 0; u < 8; u++) {
                    s = __riscv_vfmacc_vf_f32m8(s, a[u], __riscv_vle32_v_f32m8(b, vl), vl);
                    b += N;
                }
            }
#pragma clang loop unroll(disable)
            for (const float *e = arow + K; a != e; a++, b += N)
                s = __riscv_vfmacc_vf_f32m8(s, *a, __riscv_vle32_v_f32m8(b, vl), vl);
            __riscv_vse32_v_f32m8(C + row * N + j, s, vl);
        }
    }
}
NOINLINE void hand(ARGS) { gemm_hand(A, B, C, M, N, K); }

const char *bench_name = "sgemm_naive";
static float A[D * D], B[D * D], C[D * D], ref[D * D];
void bench_main(void) {
    lcg_seed(12345);
    for (int i = 0; i < D * D; i++)
        A[i] = lcg_range(-1, 1);
    for (int i = 0; i < D * D; i++)
        B[i] = lcg_range(-1, 1);
#define PREP memset(C, 0, sizeof C)
    RUN("scalar", D * D, PREP, plain_scalar(A, B, C, D, D, D), 0, 0);
    memcpy(ref, C, sizeof C);
    RUN("autovec", D * D, PREP, plain_autovec(A, B, C, D, D, D), err_f32(C, ref, D * D), 1e-5);
    RUN("hand_spmd", D * D, PREP, hand_spmd(A, B, C, D, D, D), err_f32(C, ref, D * D), 1e-5);
    RUN("hand", D * D, PREP, hand(A, B, C, D, D, D), err_f32(C, ref, D * D), 1e-5);
}
#endif
