// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#define N 65536
#define ITEMS 4096 // 16 work-groups of 256; 16 bytes per work-item
#define BINS 256
#define ARGS const uint8_t *restrict data, uint32_t *restrict hist, uint32_t n, uint32_t items
#ifdef BENCH_PLAIN
// Work-groups run one after the other, so no atomic instruction is used.
void BENCH_PLAIN(ARGS) {
    uint32_t bins[BINS];
    for (uint32_t g = 0; g < items; g += BINS) {
        for (int lid = 0; lid < BINS; lid++)
            bins[lid] = 0;
        for (uint32_t lid = 0; lid < BINS; lid++)
            for (uint32_t i = g + lid; i < n; i += items)
                bins[data[i]]++;
        for (int lid = 0; lid < BINS; lid++)
            hist[lid] += bins[lid];
    }
}
#else
#include <riscv_vector.h>
void plain_scalar(ARGS);
void plain_autovec(ARGS);

// Work-items keep their elements; a group's local atomics are plain scalar read-modify-writes (one
// hart runs the group), the merge into global memory uses real amoadd.
NOINLINE void hand_spmd(ARGS) {
    static uint32_t bins[BINS];
    for (uint32_t g = 0; g < items; g += BINS) {
        for (size_t i = 0, vl; i < BINS; i += vl) {
            vl = __riscv_vsetvl_e32m8(BINS - i);
            __riscv_vse32_v_u32m8(bins + i, __riscv_vmv_v_x_u32m8(0, vl), vl);
        }
        for (uint32_t base = g; base < n; base += items) {
            const uint8_t *p = data + base, *e = data + (base + BINS < n ? base + BINS : n);
            for (; e - p >= 8; p += 8) {
#pragma clang loop unroll(full)
                for (int u = 0; u < 8; u++)
                    bins[p[u]]++;
            }
            while (p != e)
                bins[*p++]++;
        }
        for (int lid = 0; lid < BINS; lid += 4) {
#pragma clang loop unroll(full)
            for (int u = 0; u < 4; u++)
                __atomic_fetch_add(&hist[lid + u], bins[lid + u], __ATOMIC_RELAXED);
        }
    }
}

// One private histogram per lane (no conflicts), summed at the end.
static uint32_t priv[256 * BINS]; // up to VLEN 1024: 256 lanes
NOINLINE void hand(ARGS) {
    size_t L = __riscv_vsetvlmax_e32m8();
    {
        vuint32m8_t z = __riscv_vmv_v_x_u32m8(0, L);
        for (uint32_t *p = priv, *e = priv + L * BINS; p != e; p += L)
            __riscv_vse32_v_u32m8(p, z, L);
    }
    vuint32m8_t lane =
        __riscv_vsll_vx_u32m8(__riscv_vid_v_u32m8(L), 10, L); // byte offset of the lane's table
#define COUNT(off)                                                                                 \
    {                                                                                              \
        vuint32m8_t o_ = __riscv_vmadd_vx_u32m8(off, 4, lane, L);                                  \
        vuint32m8_t c_ = __riscv_vadd_vx_u32m8(__riscv_vluxei32_v_u32m8(priv, o_, L), 1, L);       \
        __riscv_vsuxei32_v_u32m8(priv, o_, c_, L);                                                 \
    }
    const uint8_t *p = data, *e = data + n;
    for (; (size_t)(e - p) >= 4 * L; p += 4 * L) {
        vuint32m8_t x = __riscv_vle32_v_u32m8((const uint32_t *)p, L); // p is 4-aligned
        COUNT(__riscv_vand_vx_u32m8(x, 255, L));
        x = __riscv_vsrl_vx_u32m8(x, 8, L);
        COUNT(__riscv_vand_vx_u32m8(x, 255, L));
        x = __riscv_vsrl_vx_u32m8(x, 8, L);
        COUNT(__riscv_vand_vx_u32m8(x, 255, L));
        x = __riscv_vsrl_vx_u32m8(x, 8, L);
        COUNT(x);
    }
    while (p != e)
        priv[*p++]++;
    for (size_t i = 0, vl; i < BINS; i += vl) {
        vl = __riscv_vsetvl_e32m8(BINS - i);
        const uint32_t *q = priv + i, *qe = q + L * BINS;
        vuint32m8_t s = __riscv_vle32_v_u32m8(hist + i, vl);
#pragma clang loop unroll_count(4)
        for (; q != qe; q += BINS)
            s = __riscv_vadd_vv_u32m8(s, __riscv_vle32_v_u32m8(q, vl), vl);
        __riscv_vse32_v_u32m8(hist + i, s, vl);
    }
}

const char *bench_name = "histogram";
static uint8_t data[N] __attribute__((aligned(64)));
static uint32_t hist[BINS], ref[BINS];
void bench_main(void) {
    lcg_seed(12345);
    for (int i = 0; i < N; i++) {
        uint32_t u = lcg_next();
        data[i] = (uint8_t)((u >> 24) & ((u >> 16) | 0x3c));
    }
#define PREP memset(hist, 0, sizeof hist)
#define A data, hist, N, ITEMS
#define ERR err_i32((int32_t *)hist, (int32_t *)ref, BINS), 0
    RUN("scalar", ITEMS, PREP, plain_scalar(A), 0, 0);
    memcpy(ref, hist, sizeof hist);
    RUN("autovec", ITEMS, PREP, plain_autovec(A), ERR);
    RUN("hand_spmd", ITEMS, PREP, hand_spmd(A), ERR);
    RUN("hand", ITEMS, PREP, hand(A), ERR);
}
#endif
