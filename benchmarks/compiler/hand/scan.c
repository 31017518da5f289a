// SPDX-License-Identifier: Apache-2.0
// HANDFLAGS: -mllvm -enable-misched=false
#include "bench.h"
#define N 16384
#define WG 256
#define ARGS const uint32_t *restrict in, uint32_t *restrict out, size_t groups
#ifdef BENCH_PLAIN
void BENCH_PLAIN(ARGS) {
    uint32_t buf[2][WG];
    for (size_t g = 0; g < groups; g++) {
        int cur = 0;
        for (uint32_t lid = 0; lid < WG; lid++)
            buf[0][lid] = lid > 0 ? in[g * WG + lid - 1] : 0;
        for (uint32_t off = 1; off < WG; off <<= 1) {
            for (uint32_t lid = 0; lid < WG; lid++) {
                uint32_t v = buf[cur][lid];
                if (lid >= off)
                    v += buf[cur][lid - off];
                buf[1 - cur][lid] = v;
            }
            cur = 1 - cur;
        }
        for (uint32_t lid = 0; lid < WG; lid++)
            out[g * WG + lid] = buf[cur][lid];
    }
}
#else
#include <riscv_vector.h>
void plain_scalar(ARGS);
void plain_autovec(ARGS);
#define LD(p) __riscv_vle32_v_u32m8(p, vl)
#define ST(p, v) __riscv_vse32_v_u32m8(p, v, vl)

// lane = work-item, the eight double-buffered steps as written, one strip of vl work-items after
// the other between barriers.  Strips wholly below `off` only copy; strip 0 is split at `off`.
static uint32_t buf[2][WG];
#define LDN(p, n) __riscv_vle32_v_u32m8(p, n)
#define STN(p, v, n) __riscv_vse32_v_u32m8(p, v, n)
#define SPMD(VL)                                                                                   \
    static inline void spmd_##VL(ARGS) {                                                           \
        enum { vl = VL };                                                                          \
        for (uint32_t *oe = out + groups * WG; out != oe; in += WG, out += WG) {                   \
            buf[0][0] = 0;                                                                         \
            if (vl > 1)                                                                            \
                STN(buf[0] + 1, LDN(in, vl - 1), vl - 1);                                          \
            _Pragma("clang loop unroll(full)") for (int s = vl; s < WG; s += vl)                   \
                ST(buf[0] + s, LD(in + s - 1));                                                    \
            _Pragma("clang loop unroll(full)") for (int step = 0; step < 8; step++) {              \
                const int off = 1 << step;                                                         \
                uint32_t *a = buf[step & 1], *b = buf[1 - (step & 1)];                             \
                _Pragma("clang loop unroll(full)") for (int s = 0; s < WG; s += vl) {              \
                    if (s + vl <= off)                                                             \
                        ST(b + s, LD(a + s));                                                      \
                    else if (s >= off)                                                             \
                        ST(b + s, __riscv_vadd_vv_u32m8(LD(a + s), LD(a + s - off), vl));          \
                    else {                                                                         \
                        STN(b, LDN(a, off), off);                                                  \
                        STN(b + off,                                                               \
                            __riscv_vadd_vv_u32m8(LDN(a + off, vl - off), LDN(a, vl - off),        \
                                                  vl - off),                                       \
                            vl - off);                                                             \
                    }                                                                              \
                }                                                                                  \
            }                                                                                      \
            _Pragma("clang loop unroll(full)") for (int s = 0; s < WG; s += vl)                    \
                ST(out + s, LD(buf[0] + s));                                                       \
        }                                                                                          \
    }
SPMD(32) SPMD(64) SPMD(128) SPMD(256) NOINLINE void hand_spmd(ARGS) {
    size_t vm = __riscv_vsetvlmax_e32m8();
    if (vm >= 256)
        spmd_256(in, out, groups);
    else if (vm == 128)
        spmd_128(in, out, groups);
    else if (vm == 64)
        spmd_64(in, out, groups);
    else
        spmd_32(in, out, groups);
}

// One m8 strip in registers at a time, carry between strips.  The shifts run from the largest to 1,
// so the low lanes of the slide destination stay zero (the (1+S^k) factors commute).
#define LANES(VL)                                                                                  \
    static inline void lanes_##VL(ARGS) {                                                          \
        enum { vl = VL };                                                                          \
        for (uint32_t *oe = out + groups * WG; out != oe;) {                                       \
            uint32_t carry = 0;                                                                    \
            _Pragma("clang loop unroll(full)") for (int s = 0; s < WG / vl;                        \
                                                    s++, in += vl, out += vl) {                    \
                vuint32m8_t v = LD(in), t = __riscv_vmv_v_x_u32m8(0, vl);                          \
                _Pragma("clang loop unroll(full)") for (int off = vl / 2; off; off >>= 1) {        \
                    t = __riscv_vslideup_vx_u32m8(t, v, off, vl);                                  \
                    v = __riscv_vadd_vv_u32m8(v, t, vl);                                           \
                }                                                                                  \
                vuint32m8_t x = __riscv_vslide1up_vx_u32m8(v, 0, vl);                              \
                if (s)                                                                             \
                    x = __riscv_vadd_vx_u32m8(x, carry, vl);                                       \
                ST(out, x);                                                                        \
                if (s + 1 < WG / vl)                                                               \
                    carry +=                                                                       \
                        __riscv_vmv_x_s_u32m8_u32(__riscv_vslidedown_vx_u32m8(v, vl - 1, vl));     \
            }                                                                                      \
        }                                                                                          \
    }
LANES(32) LANES(64) LANES(128) LANES(256) NOINLINE void hand(ARGS) {
    size_t vm = __riscv_vsetvlmax_e32m8();
    if (vm >= 256)
        lanes_256(in, out, groups);
    else if (vm == 128)
        lanes_128(in, out, groups);
    else if (vm == 64)
        lanes_64(in, out, groups);
    else
        lanes_32(in, out, groups);
}

const char *bench_name = "scan";
static uint32_t in[N], out[N], ref[N];
void bench_main(void) {
    lcg_seed(12345);
    for (int i = 0; i < N; i++)
        in[i] = lcg_next() >> 16;
#define PREP memset(out, 0, sizeof out)
#define A in, out, N / WG
#define ERR err_i32((int32_t *)out, (int32_t *)ref, N), 0
    RUN("scalar", N, PREP, plain_scalar(A), 0, 0);
    memcpy(ref, out, sizeof out);
    RUN("autovec", N, PREP, plain_autovec(A), ERR);
    RUN("hand_spmd", N, PREP, hand_spmd(A), ERR);
    RUN("hand", N, PREP, hand(A), ERR);
}
#endif
