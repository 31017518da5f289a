// SPDX-License-Identifier: Apache-2.0
// Shared by every hand/NAME.c.  Each such file is compiled three times:
//   -DBENCH_PLAIN=plain_scalar   (scalar baseline, also the reference result)
//   -DBENCH_PLAIN=plain_autovec  (same loop, vectorizer on)
//   (neither)                    hand versions + bench_main()
#ifndef BENCH_H
#define BENCH_H
#include <stddef.h>
#include <stdint.h>

// weak: the compiler must not specialise a function for the constants bench_main passes
#define NOINLINE __attribute__((noinline, weak))

// ---- input generation: 32-bit LCG (Numerical-Recipes constants) ----
extern uint32_t lcg_state;
static inline void lcg_seed(uint32_t s) { lcg_state = s; }
static inline uint32_t lcg_next(void) { // full 32-bit state after the step
    lcg_state = lcg_state * 1664525u + 1013904223u;
    return lcg_state;
}
static inline float lcg_f01(void) { // [0,1), 24 bits
    return (float)(lcg_next() >> 8) * (1.0f / 16777216.0f);
}
static inline float lcg_range(float lo, float hi) { // lo + (hi-lo)*u, no fma
    float d = hi - lo;
    volatile float p = d * lcg_f01();
    return lo + p;
}

// ---- measuring ----
// Empty statement memory accesses are not moved across: keeps the compiler's scheduler from
// hoisting unrolled loads until the register groups run out.  Emits nothing.
#define KEEP_ORDER __asm__ volatile("" ::: "memory")
static inline uint64_t rd_instret(void) {
    uint64_t v;
    __asm__ volatile("csrr %0, minstret" : "=r"(v)::"memory");
    return v;
}
static inline uint64_t rd_vlenb(void) {
    uint64_t v;
    __asm__ volatile("csrr %0, vlenb" : "=r"(v));
    return v;
}
void bench_report(const char *variant, uint64_t items, uint64_t instret, double err, double tol);
#define RUN(...) RUN_(__VA_ARGS__)
#define RUN_(variant, items, prep, call, err, tol)                                                 \
    do {                                                                                           \
        prep;                                                                                      \
        uint64_t t0_ = rd_instret();                                                               \
        call;                                                                                      \
        uint64_t t1_ = rd_instret();                                                               \
        bench_report(variant, items, t1_ - t0_, (err), (tol));                                     \
    } while (0)

// ---- checking ----
double err_f32(const float *got, const float *ref, size_t n);           // max |g-r| / max(1,|r|)
double err_i32(const int32_t *got, const int32_t *ref, size_t n);       // max |g-r|
double err_u8(const uint8_t *got, const uint8_t *ref, size_t n);        // max |g-r|
double frac_diff_i32(const int32_t *got, const int32_t *ref, size_t n); // share of unequal elements
void *memcpy(void *d, const void *s, size_t n);
void *memset(void *d, int c, size_t n);
void bench_puts(const char *s);
void bench_main(void);
extern const char *bench_name;
#endif
