// SPDX-License-Identifier: Apache-2.0
// Register-blocked C = A*B, the speed limit the compiler's output is compared with.
// R rows of C x one register group of columns stay in registers over the whole k loop:
//   m8: 3 rows, m4: 7 rows, m2: 8 rows (the LMUL is the smallest one that covers N, at most m8).
// The rows of A of one block are first copied to a k-major panel (counted too), so that the inner
// loop reads A through one pointer with immediate offsets.
// The micro-kernels are inline assembly: with intrinsics clang-22 spills at "all 32 registers
// used".
#include <riscv_vector.h>

#define FL(r, u, R) "flw ft" #r ", 4*(" #u "*" #R "+" #r ")(%[p])\n"
#define FM(r, v) "vfmacc.vf v" #v ", ft" #r ", v0\n"
#define LB "vle32.v v0, (%[b])\nadd %[b], %[b], %[ldb]\n"
#define ST(v) "vse32.v v" #v ", (%[c])\nadd %[c], %[c], %[ldb]\n"
#define ZV(v) "vmv.v.i v" #v ", 0\n"
#define VREGS                                                                                      \
    "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", \
        "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", \
        "v28", "v29", "v30", "v31"
#define DEF_MICRO(L, R, ZERO, STEP, STORE)                                                         \
    static inline void micro_##L(const float *p, const float *b, float *c, size_t ldb, size_t K,   \
                                 size_t vl) {                                                      \
        const float *e4 = p + (K & ~(size_t)3) * R, *e1 = p + K * R;                               \
        __asm__ volatile(                                                                          \
            "vsetvli zero, %[vl], e32, " #L ", ta, ma\n" ZERO "beq %[p], %[e4], 2f\n"              \
            "1:\n" STEP(0) STEP(1) STEP(2)                                                         \
                STEP(3) "addi %[p], %[p], 16*" #R "\nbne %[p], %[e4], 1b\n"                        \
                        "2: beq %[p], %[e1], 4f\n"                                                 \
                        "3:\n" STEP(0) "addi %[p], %[p], 4*" #R "\nbne %[p], %[e1], 3b\n"          \
                                       "4:\n" STORE                                                \
            : [p] "+r"(p), [b] "+r"(b), [c] "+r"(c)                                                \
            : [ldb] "r"(ldb), [e4] "r"(e4), [e1] "r"(e1), [vl] "r"(vl)                             \
            : "memory", VREGS, "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7");            \
    }
#define STEP3(u) LB FL(0, u, 3) FL(1, u, 3) FL(2, u, 3) FM(0, 8) FM(1, 16) FM(2, 24)
#define STEP7(u)                                                                                   \
    LB FL(0, u, 7) FL(1, u, 7) FL(2, u, 7) FL(3, u, 7) FL(4, u, 7) FL(5, u, 7) FL(6, u, 7)         \
        FM(0, 4) FM(1, 8) FM(2, 12) FM(3, 16) FM(4, 20) FM(5, 24) FM(6, 28)
#define STEP8(u)                                                                                   \
    LB FL(0, u, 8) FL(1, u, 8) FL(2, u, 8) FL(3, u, 8) FL(4, u, 8) FL(5, u, 8) FL(6, u, 8)         \
        FL(7, u, 8) FM(0, 2) FM(1, 4) FM(2, 6) FM(3, 8) FM(4, 10) FM(5, 12) FM(6, 14) FM(7, 16)
DEF_MICRO(m8, 3, ZV(8) ZV(16) ZV(24), STEP3, ST(8) ST(16) ST(24))
DEF_MICRO(m4, 7, ZV(4) ZV(8) ZV(12) ZV(16) ZV(20) ZV(24) ZV(28), STEP7,
          ST(4) ST(8) ST(12) ST(16) ST(20) ST(24) ST(28))
DEF_MICRO(m2, 8, ZV(2) ZV(4) ZV(6) ZV(8) ZV(10) ZV(12) ZV(14) ZV(16), STEP8,
          ST(2) ST(4) ST(6) ST(8) ST(10) ST(12) ST(14) ST(16))

#define DEF_GEMM(L, R)                                                                             \
    static inline void one_##L(const float *restrict a, const float *restrict b,                   \
                               float *restrict c, long N, long K, size_t vl) {                     \
        vfloat32##L##_t s = __riscv_vfmv_v_f_f32##L(0, vl);                                        \
        for (const float *e = a + K; a != e; a++, b += N)                                          \
            s = __riscv_vfmacc_vf_f32##L(s, *a, __riscv_vle32_v_f32##L(b, vl), vl);                \
        __riscv_vse32_v_f32##L(c, s, vl);                                                          \
    }                                                                                              \
    static inline void gemm_##L(const float *restrict A, const float *restrict B,                  \
                                float *restrict C, long Mr, long N, long K,                        \
                                float *restrict panel) {                                           \
        long i = 0;                                                                                \
        for (; i + R <= Mr; i += R) {                                                              \
            const float *a = A + i * K;                                                            \
            for (long r = 0; r < R; r++) { /* R x K -> K x R with strided stores */                \
                float *q = panel + r;                                                              \
                for (size_t k = K, vl; k; k -= vl, a += vl, q += R * vl) {                         \
                    vl = __riscv_vsetvl_e32m8(k);                                                  \
                    __riscv_vsse32_v_f32m8(q, R * 4, __riscv_vle32_v_f32m8(a, vl), vl);            \
                }                                                                                  \
            }                                                                                      \
            for (size_t j = 0, vl; j < (size_t)N; j += vl) {                                       \
                vl = __riscv_vsetvl_e32##L(N - j);                                                 \
                micro_##L(panel, B + j, C + i * N + j, N * 4, K, vl);                              \
            }                                                                                      \
        }                                                                                          \
        for (; i < Mr; i++)                                                                        \
            for (size_t j = 0, vl; j < (size_t)N; j += vl) {                                       \
                vl = __riscv_vsetvl_e32##L(N - j);                                                 \
                one_##L(A + i * K, B + j, C + i * N + j, N, K, vl);                                \
            }                                                                                      \
    }
// clang-format off
DEF_GEMM(m8, 3)
DEF_GEMM(m4, 7)
DEF_GEMM(m2, 8)
// clang-format on

static float gemm_panel[8 * 1024]; // K <= 1024
static inline void gemm_hand(const float *restrict A, const float *restrict B, float *restrict C,
                             int Mr, int N, int K) {
    size_t lanes = __riscv_vsetvlmax_e32m1();
    if ((size_t)N <= 2 * lanes)
        gemm_m2(A, B, C, Mr, N, K, gemm_panel);
    else if ((size_t)N <= 4 * lanes)
        gemm_m4(A, B, C, Mr, N, K, gemm_panel);
    else
        gemm_m8(A, B, C, Mr, N, K, gemm_panel);
}
