// SPDX-License-Identifier: Apache-2.0
// UART, exit, checks.  Not measured.
#include "bench.h"
#define UART ((volatile uint8_t *)0x10000000u)
#define FINISH ((volatile uint32_t *)0x100000u)
uint32_t lcg_state;
static int failures;

static void put(char c) { UART[0] = (uint8_t)c; }
void bench_puts(const char *s) {
    while (*s)
        put(*s++);
}
static void put_u(uint64_t v) {
    char b[24];
    int i = 0;
    do {
        b[i++] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    while (i)
        put(b[--i]);
}
static void put_x(uint64_t v) {
    for (int i = 60; i >= 0; i -= 4)
        put("0123456789abcdef"[(v >> i) & 15]);
}
static void finish(int bad) {
    *FINISH = bad ? (0x3333u | (1u << 16)) : 0x5555u;
    for (;;)
        __asm__ volatile("wfi");
}
// RESULT <kernel> <variant> <items> <instructions> <error as IEEE double bits> <ok|FAIL>
void bench_report(const char *variant, uint64_t items, uint64_t instret, double err, double tol) {
    int ok = err <= tol;
    union {
        double d;
        uint64_t u;
    } c = {err};
    if (!ok)
        failures++;
    bench_puts("RESULT ");
    bench_puts(bench_name);
    put(' ');
    bench_puts(variant);
    put(' ');
    put_u(items);
    put(' ');
    put_u(instret);
    put(' ');
    put_x(c.u);
    put(' ');
    bench_puts(ok ? "ok\n" : "FAIL\n");
}
void bench_trap(uint64_t cause, uint64_t epc, uint64_t tval) {
    bench_puts("TRAP cause ");
    put_x(cause);
    bench_puts(" epc ");
    put_x(epc);
    bench_puts(" tval ");
    put_x(tval);
    put('\n');
    finish(1);
}
void bench_entry(void) {
    bench_puts("VLEN ");
    put_u(rd_vlenb() * 8);
    put('\n');
    uint64_t a = rd_instret(), b = rd_instret();
    bench_puts("OVERHEAD ");
    put_u(b - a);
    put('\n');
    bench_main();
    bench_puts(failures ? "DONE FAIL\n" : "DONE ok\n");
    finish(failures != 0);
}

static double mag(double x) { return x < 0 ? -x : x; }
double err_f32(const float *g, const float *r, size_t n) {
    double m = 0;
    for (size_t i = 0; i < n; i++) {
        double d = mag((double)g[i] - (double)r[i]), s = mag(r[i]);
        if (!(d == d))
            return 1e30;
        if (s > 1)
            d /= s;
        if (d > m)
            m = d;
    }
    return m;
}
double err_i32(const int32_t *g, const int32_t *r, size_t n) {
    double m = 0;
    for (size_t i = 0; i < n; i++) {
        double d = mag((double)g[i] - (double)r[i]);
        if (d > m)
            m = d;
    }
    return m;
}
double err_u8(const uint8_t *g, const uint8_t *r, size_t n) {
    double m = 0;
    for (size_t i = 0; i < n; i++) {
        double d = mag((double)g[i] - (double)r[i]);
        if (d > m)
            m = d;
    }
    return m;
}
double frac_diff_i32(const int32_t *g, const int32_t *r, size_t n) {
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        k += g[i] != r[i];
    return (double)k / (double)n;
}
void *memcpy(void *d, const void *s, size_t n) {
    uint8_t *a = d;
    const uint8_t *b = s;
    if ((((uintptr_t)a | (uintptr_t)b) & 7) == 0)
        for (; n >= 8; n -= 8, a += 8, b += 8)
            *(uint64_t *)a = *(const uint64_t *)b;
    while (n--)
        *a++ = *b++;
    return d;
}
void *memset(void *d, int c, size_t n) {
    uint8_t *a = d;
    if (((uintptr_t)a & 7) == 0) {
        uint64_t v = (uint8_t)c * 0x0101010101010101ull;
        for (; n >= 8; n -= 8, a += 8)
            *(uint64_t *)a = v;
    }
    while (n--)
        *a++ = (uint8_t)c;
    return d;
}
