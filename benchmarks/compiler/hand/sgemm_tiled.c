// SPDX-License-Identifier: Apache-2.0
// HANDFLAGS: -mllvm -enable-misched=false
#include "bench.h"
#define D 64
#define TS 16
#define ARGS                                                                                       \
    const float *restrict A, const float *restrict B, float *restrict C, int M, int N, int K
#ifdef BENCH_PLAIN
// One work-group at a time; each barrier splits the body into a loop over the 256 work-items.
void BENCH_PLAIN(ARGS) {
    float As[TS][TS], Bs[TS][TS], acc[TS][TS];
    for (int gy = 0; gy < M; gy += TS)
        for (int gx = 0; gx < N; gx += TS) {
            for (int ly = 0; ly < TS; ly++)
                for (int lx = 0; lx < TS; lx++)
                    acc[ly][lx] = 0.0f;
            for (int t = 0; t < K; t += TS) {
                for (int ly = 0; ly < TS; ly++)
                    for (int lx = 0; lx < TS; lx++) {
                        As[ly][lx] = A[(gy + ly) * K + t + lx];
                        Bs[ly][lx] = B[(t + ly) * N + gx + lx];
                    }
                for (int ly = 0; ly < TS; ly++)
                    for (int lx = 0; lx < TS; lx++) {
                        float s = acc[ly][lx];
                        for (int k = 0; k < TS; k++)
                            s += As[ly][k] * Bs[k][lx];
                        acc[ly][lx] = s;
                    }
            }
            for (int ly = 0; ly < TS; ly++)
                for (int lx = 0; lx < TS; lx++)
                    C[(gy + ly) * N + gx + lx] = acc[ly][lx];
        }
}
#else
#include "../hand/sgemm_blocked.h"
void plain_scalar(ARGS);
void plain_autovec(ARGS);

// lane = lx.  One vector holds the 16 work-items of a tile row; the tiles do live in local memory;
// the accumulators are private values kept in memory across the barrier.  The rows of Bs do not
// depend on ly: as many as fit (KC) are held in registers over the loop on ly.
static float As[TS][TS], Bs[TS][TS], acc[TS][TS];
#undef FM
#define HAS(i) (i < KC && kc + i < TS)
#define LDB(L, i)                                                                                  \
    HAS(i) ? __riscv_vle32_v_f32##L(Bs[kc + (HAS(i) ? i : 0)], vl) : __riscv_vundefined_f32##L()
#define FM(L, i)                                                                                   \
    if (HAS(i))                                                                                    \
    s = __riscv_vfmacc_vf_f32##L(s, la[kc + i], b##i, vl)
#define SPMD(L, KC_)                                                                               \
    static inline void spmd_##L(ARGS) {                                                            \
        enum { KC = KC_ };                                                                         \
        size_t vl = TS;                                                                            \
        for (long gy = 0; gy < M; gy += TS)                                                        \
            for (long gx = 0; gx < N; gx += TS) {                                                  \
                for (long t = 0; t < K; t += TS) {                                                 \
                    const float *a = A + gy * K + t, *b = B + t * N + gx;                          \
                    float *la = &As[0][0], *lb = &Bs[0][0];                                        \
                    for (int ly = 0; ly < TS; ly++, a += K, b += N, la += TS, lb += TS) {          \
                        __riscv_vse32_v_f32##L(la, __riscv_vle32_v_f32##L(a, vl), vl);             \
                        __riscv_vse32_v_f32##L(lb, __riscv_vle32_v_f32##L(b, vl), vl);             \
                    }                                                                              \
                    _Pragma("clang loop unroll(full)") for (int kc = 0; kc < TS; kc += KC) {       \
                        vfloat32##L##_t b0 = LDB(L, 0), b1 = LDB(L, 1), b2 = LDB(L, 2),            \
                                        b3 = LDB(L, 3), b4 = LDB(L, 4), b5 = LDB(L, 5),            \
                                        b6 = LDB(L, 6), b7 = LDB(L, 7), b8 = LDB(L, 8),            \
                                        b9 = LDB(L, 9), b10 = LDB(L, 10), b11 = LDB(L, 11),        \
                                        b12 = LDB(L, 12), b13 = LDB(L, 13), b14 = LDB(L, 14),      \
                                        b15 = LDB(L, 15);                                          \
                        float *c = &acc[0][0];                                                     \
                        la = &As[0][0];                                                            \
                        _Pragma("clang loop unroll(disable)") for (int ly = 0; ly < TS;            \
                                                                   ly++, la += TS, c += TS) {      \
                            vfloat32##L##_t s = t + kc ? __riscv_vle32_v_f32##L(c, vl)             \
                                                       : __riscv_vfmv_v_f_f32##L(0, vl);           \
                            FM(L, 0);                                                              \
                            FM(L, 1);                                                              \
                            FM(L, 2);                                                              \
                            FM(L, 3);                                                              \
                            FM(L, 4);                                                              \
                            FM(L, 5);                                                              \
                            FM(L, 6);                                                              \
                            FM(L, 7);                                                              \
                            FM(L, 8);                                                              \
                            FM(L, 9);                                                              \
                            FM(L, 10);                                                             \
                            FM(L, 11);                                                             \
                            FM(L, 12);                                                             \
                            FM(L, 13);                                                             \
                            FM(L, 14);                                                             \
                            FM(L, 15);                                                             \
                            __riscv_vse32_v_f32##L(c, s, vl);                                      \
                        }                                                                          \
                    }                                                                              \
                }                                                                                  \
                float *o = C + gy * N + gx, *c = &acc[0][0];                                       \
                for (int ly = 0; ly < TS; ly++, c += TS, o += N)                                   \
                    __riscv_vse32_v_f32##L(o, __riscv_vle32_v_f32##L(c, vl), vl);                  \
            }                                                                                      \
    }
SPMD(m1, 16) SPMD(m2, 8) SPMD(m4, 6) NOINLINE void hand_spmd(ARGS) {
    switch (__riscv_vsetvlmax_e32m1()) {
    case 4:
        spmd_m4(A, B, C, M, N, K);
        break;
    case 8:
        spmd_m2(A, B, C, M, N, K);
        break;
    default:
        spmd_m1(A, B, C, M, N, K);
        break;
    }
}
NOINLINE void hand(ARGS) { gemm_hand(A, B, C, M, N, K); }

const char *bench_name = "sgemm_tiled";
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
