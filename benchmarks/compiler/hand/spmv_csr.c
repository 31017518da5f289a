// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#define ROWS 1024
#define COLS 1024
#define MAXNNZ (ROWS * 96)
#define ARGS                                                                                       \
    const int *restrict row_ptr, const int *restrict col_idx, const float *restrict val,           \
        const float *restrict x, float *restrict y, int rows
#ifdef BENCH_PLAIN
void BENCH_PLAIN(ARGS) {
    for (int row = 0; row < rows; row++) {
        float sum = 0.0f;
        int end = row_ptr[row + 1];
        for (int j = row_ptr[row]; j < end; j++)
            sum += val[j] * x[col_idx[j]];
        y[row] = sum;
    }
}
#else
#include <riscv_vector.h>
void plain_scalar(ARGS);
void plain_autovec(ARGS);

// lane = row; runs to the longest row of the strip, shorter rows masked off.
NOINLINE void hand_spmd(ARGS) {
    vuint32m1_t z = __riscv_vmv_v_x_u32m1(0, 1);
    size_t vl;
    for (size_t n = rows; n; n -= vl, row_ptr += vl, y += vl) {
        vl = __riscv_vsetvl_e32m4(n);
        vuint32m4_t j =
            __riscv_vsll_vx_u32m4(__riscv_vle32_v_u32m4((const uint32_t *)row_ptr, vl), 2, vl);
        vuint32m4_t len = __riscv_vsub_vv_u32m4(
            __riscv_vsll_vx_u32m4(__riscv_vle32_v_u32m4((const uint32_t *)row_ptr + 1, vl), 2, vl),
            j, vl);
        uint32_t longest = __riscv_vmv_x_s_u32m1_u32(__riscv_vredmaxu_vs_u32m4_u32m1(len, z, vl));
        vfloat32m4_t s = __riscv_vfmv_v_f_f32m4(0, vl);
        for (uint32_t k = 0; k != longest; k += 4) { // byte offsets
            vbool8_t m = __riscv_vmsgtu_vx_u32m4_b8(len, k, vl);
            vuint32m4_t c = __riscv_vluxei32_v_u32m4_m(m, (const uint32_t *)col_idx, j, vl);
            vfloat32m4_t a = __riscv_vluxei32_v_f32m4_m(m, val, j, vl);
            c = __riscv_vsll_vx_u32m4(c, 2, vl);
            vfloat32m4_t b = __riscv_vluxei32_v_f32m4_m(m, x, c, vl);
            s = __riscv_vfmacc_vv_f32m4_mu(m, s, a, b, vl);
            j = __riscv_vadd_vx_u32m4(j, 4, vl);
        }
        __riscv_vse32_v_f32m4(y, s, vl);
    }
}

// lane = non-zero of one row, reduced per row (order of the sum changes).
#define STRIP(from)                                                                                \
    vl = __riscv_vsetvl_e32m8(n);                                                                  \
    o = __riscv_vsll_vx_u32m8(__riscv_vle32_v_u32m8((const uint32_t *)col_idx, vl), 2, vl);        \
    p = __riscv_vfmul_vv_f32m8(__riscv_vluxei32_v_f32m8(x, o, vl), __riscv_vle32_v_f32m8(val, vl), \
                               vl);                                                                \
    s = __riscv_vfredusum_vs_f32m8_f32m1(p, from, vl);                                             \
    col_idx += vl;                                                                                 \
    val += vl;                                                                                     \
    n -= vl;
static inline void per_row(ARGS) {
    vfloat32m1_t zero = __riscv_vfmv_s_f_f32m1(0, 1);
    int j = *row_ptr++;
    col_idx += j;
    val += j; // from here the pointers just run on
    for (float *e = y + rows; y != e; y++) {
        int end = *row_ptr++;
        size_t n = (size_t)(end - j), vl;
        float f = 0;
        j = end;
        if (n) {
            vuint32m8_t o;
            vfloat32m8_t p;
            vfloat32m1_t s;
            STRIP(zero)
            while (n) {
                STRIP(s)
            }
            f = __riscv_vfmv_f_s_f32m1_f32(s);
            __asm__("" : "+f"(f)); // scalar store, not a one-lane vector store
        }
        *y = f;
    }
}
NOINLINE void x_row(ARGS) { per_row(row_ptr, col_idx, val, x, y, rows); }
NOINLINE void hand(ARGS) {
    if (__riscv_vsetvlmax_e32m1() >= 16)
        hand_spmd(row_ptr, col_idx, val, x, y, rows);
    else
        per_row(row_ptr, col_idx, val, x, y, rows);
}

const char *bench_name = "spmv_csr";
static int rp[ROWS + 1], ci[MAXNNZ];
static float v[MAXNNZ], x[COLS], y[ROWS], ref[ROWS];
void bench_main(void) {
    lcg_seed(12345);
    for (int r = 0; r < ROWS; r++) { // 0..31 entries, one row in 16 gets 64 more
        uint32_t u = lcg_next();
        int len = (int)((u >> 8) & 31) + (((u >> 20) & 15) == 0 ? 64 : 0);
        rp[r + 1] = rp[r] + len;
    }
    for (int j = 0; j < rp[ROWS]; j++) {
        ci[j] = (int)(lcg_next() >> 22);
        v[j] = lcg_range(-1, 1);
    }
    for (int i = 0; i < COLS; i++)
        x[i] = lcg_range(-1, 1);
#define PREP memset(y, 0, sizeof y)
#define A rp, ci, v, x, y, ROWS
#define ERR err_f32(y, ref, ROWS), 1e-5
    RUN("scalar", ROWS, PREP, plain_scalar(A), 0, 0);
    memcpy(ref, y, sizeof y);
    RUN("autovec", ROWS, PREP, plain_autovec(A), ERR);
    RUN("hand_spmd", ROWS, PREP, hand_spmd(A), ERR);
    RUN("hand", ROWS, PREP, hand(A), ERR);
    RUN("x_row", ROWS, PREP, x_row(A), ERR);
}
#endif
