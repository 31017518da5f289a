// SPDX-License-Identifier: Apache-2.0
// HANDFLAGS: -mllvm -enable-misched=false
#include "bench.h"
#define N 16384
#define KK 1024
// One launch = one (j,k).  Measured: the ten launches j = 512 .. 1 of k = 1024, on 16384 keys.
#define ARGS uint32_t *restrict data, uint32_t n, uint32_t j, uint32_t k
#ifdef BENCH_PLAIN
void BENCH_PLAIN(ARGS) {
    for (uint32_t i = 0; i < n; i++) {
        uint32_t p = i ^ j;
        if (p > i) {
            uint32_t a = data[i], b = data[p];
            int up = (i & k) == 0;
            if ((a > b) == up) {
                data[i] = b;
                data[p] = a;
            }
        }
    }
}
#else
#include <riscv_vector.h>
void plain_scalar(ARGS);
void plain_autovec(ARGS);
#define V vuint32m4_t

// lane = work-item i, nothing assumed about j and k: partner by gather, result by scatter, masked.
NOINLINE void hand_spmd(ARGS) {
    size_t vl;
    for (uint32_t i0 = 0; i0 < n; i0 += vl) {
        vl = __riscv_vsetvl_e32m4(n - i0);
        V i = __riscv_vadd_vx_u32m4(__riscv_vid_v_u32m4(vl), i0, vl);
        V p = __riscv_vxor_vx_u32m4(i, j, vl);
        vbool8_t act = __riscv_vmsgtu_vv_u32m4_b8(p, i, vl);
        if (__riscv_vfirst_m_b8(act, vl) < 0)
            continue;
        p = __riscv_vsll_vx_u32m4(p, 2, vl);
        V a = __riscv_vle32_v_u32m4_m(act, data + i0, vl);
        V b = __riscv_vluxei32_v_u32m4_m(act, data, p, vl);
        vbool8_t down = __riscv_vmsne_vx_u32m4_b8(__riscv_vand_vx_u32m4(i, k, vl), 0, vl);
        vbool8_t sw = __riscv_vmxor_mm_b8(__riscv_vmsgtu_vv_u32m4_b8(a, b, vl), down, vl);
        sw = __riscv_vmand_mm_b8(sw, act, vl);
        __riscv_vse32_v_u32m4_m(sw, data + i0, b, vl);
        __riscv_vsuxei32_v_u32m4_m(sw, data, p, a, vl);
    }
}

// j at least a strip: contiguous runs, active half only, direction uniform.
// j smaller: whole strips, partner by vrgather inside the register group.
#define RUNS(L)                                                                                    \
    static inline void runs_##L(ARGS) {                                                            \
        size_t vl = __riscv_vsetvlmax_e32##L();                                                    \
        if (vl > j)                                                                                \
            vl = j;                                                                                \
        for (uint32_t b = 0; b < n; b += 2 * j) {                                                  \
            uint32_t *x = data + b, *e = x + j, *y = e;                                            \
            if (b & k)                                                                             \
                for (; x != e; x += vl, y += vl) {                                                 \
                    vuint32##L##_t p = __riscv_vle32_v_u32##L(x, vl),                              \
                                   q = __riscv_vle32_v_u32##L(y, vl);                              \
                    __riscv_vse32_v_u32##L(x, __riscv_vmaxu_vv_u32##L(p, q, vl), vl);              \
                    __riscv_vse32_v_u32##L(y, __riscv_vminu_vv_u32##L(p, q, vl), vl);              \
                }                                                                                  \
            else                                                                                   \
                for (; x != e; x += vl, y += vl) {                                                 \
                    vuint32##L##_t p = __riscv_vle32_v_u32##L(x, vl),                              \
                                   q = __riscv_vle32_v_u32##L(y, vl);                              \
                    __riscv_vse32_v_u32##L(x, __riscv_vminu_vv_u32##L(p, q, vl), vl);              \
                    __riscv_vse32_v_u32##L(y, __riscv_vmaxu_vv_u32##L(p, q, vl), vl);              \
                }                                                                                  \
        }                                                                                          \
    }
RUNS(m8)
#define V8 vuint32m8_t
// n keys (whole strips) with one direction mask
static inline void strips(uint32_t *x, size_t n, size_t vl, vuint16m4_t ix, vbool4_t takemax) {
    for (uint32_t *e = x + n; x != e; x += vl) {
        V8 a = __riscv_vle32_v_u32m8(x, vl);
        V8 c = __riscv_vrgatherei16_vv_u32m8(a, ix, vl);
        V8 r = __riscv_vminu_vv_u32m8(a, c, vl);
        r = __riscv_vmaxu_vv_u32m8_mu(takemax, r, a, c, vl);
        __riscv_vse32_v_u32m8(x, r, vl);
    }
}
NOINLINE void hand(ARGS) {
    size_t vm = __riscv_vsetvlmax_e32m8();
    if (j >= vm) {
        runs_m8(data, n, j, k);
        return;
    }
    // strips of min(VLMAX, n) keys, aligned, so pairs stay inside a strip (n is a power of two)
    size_t vl = vm < n ? vm : n;
    vuint16m4_t id = __riscv_vid_v_u16m4(vl);
    vuint16m4_t ix = __riscv_vxor_vx_u16m4(id, (uint16_t)j, vl);
    vbool4_t upper = __riscv_vmsne_vx_u16m4_b4(__riscv_vand_vx_u16m4(id, (uint16_t)j, vl), 0, vl);
    if (k >= n)
        strips(data, n, vl, ix, upper);
    else if (k >= vl) { // direction uniform per strip, alternates every k keys
        vbool4_t lower = __riscv_vmnot_m_b4(upper, vl);
        for (uint32_t b = 0; b < n; b += 2 * k) {
            strips(data + b, k, vl, ix, upper);
            strips(data + b + k, k, vl, ix, lower);
        }
    } else { // k divides the strip: one mask for all strips
        vbool4_t down =
            __riscv_vmsne_vx_u16m4_b4(__riscv_vand_vx_u16m4(id, (uint16_t)k, vl), 0, vl);
        strips(data, n, vl, ix, __riscv_vmxor_mm_b4(upper, down, vl));
    }
}

typedef void step_fn(ARGS);
static void stage(step_fn *f, uint32_t *d, uint32_t k) {
    for (uint32_t j = k >> 1; j; j >>= 1)
        f(d, N, j, k);
}
const char *bench_name = "bitonic";
static uint32_t in[N], d[N], ref[N];
void bench_main(void) {
    lcg_seed(12345);
    for (int i = 0; i < N; i++)
        in[i] = lcg_next();
    // full sort once with the hand version (not measured) must give ascending keys
    memcpy(d, in, sizeof d);
    for (uint32_t k = 2; k <= N; k <<= 1)
        stage(hand, d, k);
    int bad = 0;
    for (int i = 1; i < N; i++)
        bad += d[i - 1] > d[i];
    memcpy(d, in, sizeof d);
    for (uint32_t k = 2; k <= N; k <<= 1)
        stage(hand_spmd, d, k);
    for (int i = 1; i < N; i++)
        bad += d[i - 1] > d[i];
#define PREP memcpy(d, in, sizeof d)
#define ERR frac_diff_i32((int32_t *)d, (int32_t *)ref, N) + bad, 0
    RUN("scalar", 10 * N, PREP, stage(plain_scalar, d, KK), 0, 0);
    memcpy(ref, d, sizeof d);
    RUN("autovec", 10 * N, PREP, stage(plain_autovec, d, KK), ERR);
    RUN("hand_spmd", 10 * N, PREP, stage(hand_spmd, d, KK), ERR);
    RUN("hand", 10 * N, PREP, stage(hand, d, KK), ERR);
}
#endif
