// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#define N 16384
#define WG 256
#define ARGS size_t groups, const float *restrict in, float *restrict partial
#ifdef BENCH_PLAIN
void BENCH_PLAIN(ARGS) {
    float tmp[WG];
    for (size_t g = 0; g < groups; g++) {
        for (unsigned lid = 0; lid < WG; lid++)
            tmp[lid] = in[g * WG + lid];
        for (unsigned s = WG / 2; s > 0; s >>= 1)
            for (unsigned lid = 0; lid < WG; lid++)
                if (lid < s)
                    tmp[lid] += tmp[lid + s];
        partial[g] = tmp[0];
    }
}
#else
#include <riscv_vector.h>
void plain_scalar(ARGS);
void plain_autovec(ARGS);

// lane = work-item, same tree in local memory, only active strips visited, everything unrolled for
// one VLMAX (LD/ST with the active count as vl).
static float tmp[WG];
#define LDF(p, n) __riscv_vle32_v_f32m8(p, n)
#define STF(p, v, n) __riscv_vse32_v_f32m8(p, v, n)
#define SPMD(VL)                                                                                   \
    static inline void spmd_##VL(ARGS) {                                                           \
        for (float *e = partial + groups; partial != e; partial++, in += WG) {                     \
            _Pragma("clang loop unroll(full)") for (int i = 0; i < WG; i += VL)                    \
                STF(tmp + i, LDF(in + i, VL), VL);                                                 \
            _Pragma("clang loop unroll(full)") for (int s = WG / 2; s > 0; s >>= 1) {              \
                const int vl = s < VL ? s : VL;                                                    \
                _Pragma("clang loop unroll(full)") for (int i = 0; i < s; i += vl)                 \
                    STF(tmp + i,                                                                   \
                        __riscv_vfadd_vv_f32m8(LDF(tmp + i, vl), LDF(tmp + i + s, vl), vl), vl);   \
            }                                                                                      \
            *partial = tmp[0];                                                                     \
        }                                                                                          \
    }
SPMD(32) SPMD(64) SPMD(128) SPMD(256) NOINLINE void hand_spmd(ARGS) {
    size_t vm = __riscv_vsetvlmax_e32m8();
    if (vm >= 256)
        spmd_256(groups, in, partial);
    else if (vm == 128)
        spmd_128(groups, in, partial);
    else if (vm == 64)
        spmd_64(groups, in, partial);
    else
        spmd_32(groups, in, partial);
}

// Accumulate the group in one m8 register group, then one vfredusum.
static inline void sums(ARGS, const int strips) {
    vfloat32m1_t zero = __riscv_vfmv_s_f_f32m1(0, 1);
    const size_t vl = WG / strips; // == VLMAX, or 256 lanes if VLMAX is larger
    for (float *e = partial + groups; partial != e; partial++) {
        vfloat32m8_t s = __riscv_vle32_v_f32m8(in, vl);
        in += vl;
#pragma clang loop unroll(full)
        for (int i = 1; i < strips; i++) {
            s = __riscv_vfadd_vv_f32m8(s, __riscv_vle32_v_f32m8(in, vl), vl);
            in += vl;
        }
        *partial = __riscv_vfmv_f_s_f32m1_f32(__riscv_vfredusum_vs_f32m8_f32m1(s, zero, vl));
    }
}
NOINLINE void hand(ARGS) {
    size_t vm = __riscv_vsetvlmax_e32m8();
    if (vm >= 256)
        sums(groups, in, partial, 1);
    else if (vm == 128)
        sums(groups, in, partial, 2);
    else if (vm == 64)
        sums(groups, in, partial, 4);
    else
        sums(groups, in, partial, 8);
}

const char *bench_name = "reduction";
static float in[N], out[N / WG], ref[N / WG];
void bench_main(void) {
    lcg_seed(12345);
    for (int i = 0; i < N; i++)
        in[i] = lcg_range(-1, 1);
#define PREP memset(out, 0, sizeof out)
    RUN("scalar", N, PREP, plain_scalar(N / WG, in, out), 0, 0);
    memcpy(ref, out, sizeof out);
    RUN("autovec", N, PREP, plain_autovec(N / WG, in, out), err_f32(out, ref, N / WG), 1e-5);
    RUN("hand_spmd", N, PREP, hand_spmd(N / WG, in, out), err_f32(out, ref, N / WG), 1e-5);
    RUN("hand", N, PREP, hand(N / WG, in, out), err_f32(out, ref, N / WG), 1e-5);
}
#endif
