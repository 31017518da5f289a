// SPDX-License-Identifier: Apache-2.0
// HANDFLAGS: -mllvm -enable-misched=false
#include "bench.h"
#define N 4096
#define ARGS                                                                                       \
    const float *restrict S, const float *restrict K, const float *restrict T,                     \
        float *restrict call, float *restrict put, float R, float V, uint32_t n
// Polynomials fitted for this benchmark (Chebyshev-node fits, mpmath):
//   exp(r) = 1 + r + r^2*(E0 + E1 r + .. + E4 r^4),              |r| <= ln2/2
//   log(1+f) = f - f^2/2 + f^3*(L0 + L1 f + .. + L7 f^7),        sqrt(1/2) <= 1+f < sqrt(2)
#define E0 0.5f
#define E1 0.166665763f
#define E2 0.0416665561f
#define E3 0.00836320315f
#define E4 0.00139262131f
#define L0 0.333333313f
#define L1 -0.25000307f
#define L2 0.200010449f
#define L3 -0.166412786f
#define L4 0.142144814f
#define L5 -0.129982144f
#define L6 0.126224622f
#define L7 -0.0790283382f
#define LOG2E 1.44269504f
#define LN2HI 0.693359375f
#define LN2LO -2.12194440e-4f
#define SQRTH 0x3f3504f3
#define A1 0.31938153f
#define A2 -0.356563782f
#define A3 1.781477937f
#define A4 -1.821255978f
#define A5 1.330274429f
#define RSQRT2PI 0.39894228040143267794f
#define EXPMIN -87.0f // result stays normal; exp(x) for x < -87 is returned as exp(-87)
#ifdef BENCH_PLAIN
typedef union {
    float f;
    int32_t i;
} fi;
static inline float s_exp(float x) {
    x = x < EXPMIN ? EXPMIN : x;
    float n = (x * LOG2E + 12582912.0f) - 12582912.0f;
    float r = (x - n * LN2HI) - n * LN2LO;
    float p = 1.0f + (r + r * r * (E0 + r * (E1 + r * (E2 + r * (E3 + r * E4)))));
    fi u = {p};
    u.i += (int32_t)n << 23;
    return u.f;
}
static inline float s_log(float x) {
    fi u = {x};
    int32_t e = (u.i - SQRTH) >> 23;
    u.i -= (int32_t)((uint32_t)e << 23);
    float f = u.f - 1.0f, z = f * f, fe = (float)e;
    float p = L0 + f * (L1 + f * (L2 + f * (L3 + f * (L4 + f * (L5 + f * (L6 + f * L7))))));
    return (f + (f * z * p + fe * LN2LO - 0.5f * z)) + fe * LN2HI;
}
static inline float s_cnd(float d) {
    float k = 1.0f / (1.0f + 0.2316419f * __builtin_fabsf(d));
    float c =
        RSQRT2PI * s_exp(-0.5f * d * d) * (k * (A1 + k * (A2 + k * (A3 + k * (A4 + k * A5)))));
    return d > 0.0f ? 1.0f - c : c;
}
void BENCH_PLAIN(ARGS) {
    for (uint32_t i = 0; i < n; i++) {
        float s = S[i], k = K[i], t = T[i];
        float st = __builtin_sqrtf(t);
        float d1 = (s_log(s / k) + (R + 0.5f * V * V) * t) / (V * st);
        float d2 = d1 - V * st;
        float c1 = s_cnd(d1), c2 = s_cnd(d2);
        float e = s_exp(-R * t);
        call[i] = s * c1 - k * e * c2;
        put[i] = k * e * (1.0f - c2) - s * (1.0f - c1);
    }
}
#else
#include <riscv_vector.h>
void plain_scalar(ARGS);
void plain_autovec(ARGS);

#define GEN(L, B)                                                                                  \
    typedef vfloat32##L##_t F##L;                                                                  \
    typedef vint32##L##_t I##L;                                                                    \
    static inline F##L exp_##L(F##L x, size_t vl) {                                                \
        x = __riscv_vfmax_vf_f32##L(x, EXPMIN, vl);                                                \
        I##L n = __riscv_vfcvt_x_f_v_i32##L(__riscv_vfmul_vf_f32##L(x, LOG2E, vl), vl);            \
        F##L fn = __riscv_vfcvt_f_x_v_f32##L(n, vl);                                               \
        F##L r = __riscv_vfnmsac_vf_f32##L(x, LN2HI, fn, vl);                                      \
        r = __riscv_vfnmsac_vf_f32##L(r, LN2LO, fn, vl);                                           \
        F##L r2 = __riscv_vfmul_vv_f32##L(r, r, vl);                                               \
        F##L r3 = __riscv_vfmul_vv_f32##L(r2, r, vl);                                              \
        F##L p = __riscv_vfmul_vf_f32##L(r3, E4, vl);                                              \
        p = __riscv_vfmacc_vf_f32##L(p, E3, r2, vl);                                               \
        p = __riscv_vfmacc_vf_f32##L(p, E2, r, vl);                                                \
        p = __riscv_vfadd_vf_f32##L(p, E1, vl);                                                    \
        p = __riscv_vfmadd_vv_f32##L(p, r3, r, vl); /* r + r3*(..) */                              \
        p = __riscv_vfmacc_vf_f32##L(p, E0, r2, vl);                                               \
        p = __riscv_vfadd_vf_f32##L(p, 1.0f, vl);                                                  \
        I##L b = __riscv_vadd_vv_i32##L(__riscv_vreinterpret_v_f32##L##_i32##L(p),                 \
                                        __riscv_vsll_vx_i32##L(n, 23, vl), vl);                    \
        return __riscv_vreinterpret_v_i32##L##_f32##L(b);                                          \
    }                                                                                              \
    static inline F##L log_##L(F##L x, size_t vl) {                                                \
        I##L u = __riscv_vreinterpret_v_f32##L##_i32##L(x);                                        \
        I##L e = __riscv_vsra_vx_i32##L(__riscv_vsub_vx_i32##L(u, SQRTH, vl), 23, vl);             \
        u = __riscv_vsub_vv_i32##L(u, __riscv_vsll_vx_i32##L(e, 23, vl), vl);                      \
        F##L f = __riscv_vfsub_vf_f32##L(__riscv_vreinterpret_v_i32##L##_f32##L(u), 1.0f, vl);     \
        F##L z = __riscv_vfmul_vv_f32##L(f, f, vl), c = __riscv_vfmul_vv_f32##L(z, f, vl);         \
        F##L p = __riscv_vfmul_vf_f32##L(f, L7, vl);                                               \
        p = __riscv_vfadd_vf_f32##L(p, L6, vl);                                                    \
        p = __riscv_vfmul_vv_f32##L(p, c, vl);                                                     \
        p = __riscv_vfmacc_vf_f32##L(p, L5, z, vl);                                                \
        p = __riscv_vfmacc_vf_f32##L(p, L4, f, vl);                                                \
        p = __riscv_vfadd_vf_f32##L(p, L3, vl);                                                    \
        p = __riscv_vfmul_vv_f32##L(p, c, vl);                                                     \
        p = __riscv_vfmacc_vf_f32##L(p, L2, z, vl);                                                \
        p = __riscv_vfmacc_vf_f32##L(p, L1, f, vl);                                                \
        p = __riscv_vfadd_vf_f32##L(p, L0, vl);                                                    \
        p = __riscv_vfmul_vv_f32##L(p, c, vl);                                                     \
        F##L fe = __riscv_vfcvt_f_x_v_f32##L(e, vl);                                               \
        p = __riscv_vfmacc_vf_f32##L(p, LN2LO, fe, vl);                                            \
        p = __riscv_vfmacc_vf_f32##L(p, -0.5f, z, vl);                                             \
        p = __riscv_vfadd_vv_f32##L(p, f, vl);                                                     \
        return __riscv_vfmacc_vf_f32##L(p, LN2HI, fe, vl);                                         \
    }                                                                                              \
    static inline F##L cnd_##L(F##L d, size_t vl) {                                                \
        F##L c =                                                                                   \
            exp_##L(__riscv_vfmul_vv_f32##L(__riscv_vfmul_vf_f32##L(d, -0.5f, vl), d, vl), vl);    \
        F##L k = __riscv_vfmul_vf_f32##L(__riscv_vfabs_v_f32##L(d, vl), 0.2316419f, vl);           \
        k = __riscv_vfrdiv_vf_f32##L(__riscv_vfadd_vf_f32##L(k, 1.0f, vl), 1.0f, vl);              \
        F##L k2 = __riscv_vfmul_vv_f32##L(k, k, vl);                                               \
        F##L p = __riscv_vfmul_vf_f32##L(k, A5 * RSQRT2PI, vl);                                    \
        p = __riscv_vfadd_vf_f32##L(p, A4 * RSQRT2PI, vl);                                         \
        p = __riscv_vfmul_vv_f32##L(p, k2, vl);                                                    \
        p = __riscv_vfmacc_vf_f32##L(p, A3 * RSQRT2PI, k, vl);                                     \
        p = __riscv_vfadd_vf_f32##L(p, A2 * RSQRT2PI, vl);                                         \
        p = __riscv_vfmul_vv_f32##L(p, k2, vl);                                                    \
        p = __riscv_vfmacc_vf_f32##L(p, A1 * RSQRT2PI, k, vl);                                     \
        c = __riscv_vfmul_vv_f32##L(c, p, vl);                                                     \
        vbool##B##_t pos = __riscv_vmfgt_vf_f32##L##_b##B(d, 0.0f, vl);                            \
        return __riscv_vfrsub_vf_f32##L##_mu(pos, c, c, 1.0f, vl);                                 \
    }                                                                                              \
    NOINLINE void bs_##L(ARGS) {                                                                   \
        size_t vl;                                                                                 \
        float g = R + 0.5f * V * V;                                                                \
        for (size_t m = n; m; m -= vl, S += vl, K += vl, T += vl, call += vl, put += vl) {         \
            const float *S2, *K2; /* opaque copies: S and K are to be read again */                \
            __asm__("" : "=r"(S2), "=r"(K2) : "0"(S), "1"(K));                                     \
            vl = __riscv_vsetvl_e32##L(m);                                                         \
            F##L s = __riscv_vle32_v_f32##L(S, vl), k = __riscv_vle32_v_f32##L(K, vl);             \
            F##L d1 = log_##L(__riscv_vfdiv_vv_f32##L(s, k, vl), vl);                              \
            F##L t = __riscv_vle32_v_f32##L(T, vl);                                                \
            F##L st = __riscv_vfmul_vf_f32##L(__riscv_vfsqrt_v_f32##L(t, vl), V, vl);              \
            d1 = __riscv_vfdiv_vv_f32##L(__riscv_vfmacc_vf_f32##L(d1, g, t, vl), st, vl);          \
            F##L d2 = __riscv_vfsub_vv_f32##L(d1, st, vl);                                         \
            F##L c1 = cnd_##L(d1, vl);                                                             \
            F##L c2 = cnd_##L(d2, vl);                                                             \
            F##L ke = exp_##L(__riscv_vfmul_vf_f32##L(__riscv_vle32_v_f32##L(T, vl), -R, vl), vl); \
            ke = __riscv_vfmul_vv_f32##L(ke, __riscv_vle32_v_f32##L(K2, vl), vl);                  \
            s = __riscv_vle32_v_f32##L(S2, vl);                                                    \
            F##L a = __riscv_vfmul_vv_f32##L(s, c1, vl);                                           \
            a = __riscv_vfnmsac_vv_f32##L(a, ke, c2, vl); /* call */                               \
            __riscv_vse32_v_f32##L(call, a, vl);                                                   \
            /* put = ke*(1-c2) - s*(1-c1) */                                                       \
            c1 = __riscv_vfrsub_vf_f32##L(c1, 1.0f, vl);                                           \
            c2 = __riscv_vfrsub_vf_f32##L(c2, 1.0f, vl);                                           \
            a = __riscv_vfmul_vv_f32##L(ke, c2, vl);                                               \
            __riscv_vse32_v_f32##L(put, __riscv_vfnmsac_vv_f32##L(a, s, c1, vl), vl);              \
        }                                                                                          \
    }
GEN(m4, 8)
GEN(m2, 16)

// ---- accuracy of the polynomials, in float ulps against doubles (not measured) ----
static double d_exp(double x) {
    int n = (int)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
    double r = (x - n * 0.6931471803691238) - n * 1.9082149292705877e-10, t = 1, s = 1;
    for (int i = 1; i < 18; i++) {
        t *= r / i;
        s += t;
    }
    union {
        double d;
        int64_t i;
    } u = {s};
    u.i += (int64_t)n << 52;
    return u.d;
}
static double d_log(double x) { // Newton on d_exp from a float start
    union {
        double d;
        int64_t i;
    } u = {x};
    double y = (double)((u.i >> 52) - 1023) * 0.6931471805599453;
    for (int i = 0; i < 6; i++) {
        double e = d_exp(y);
        y += 2 * (x - e) / (x + e);
    }
    return y;
}
static double ulp_of(double v) { // v normal in float range
    union {
        double d;
        int64_t i;
    } u = {v};
    u.i = (u.i & 0x7ff0000000000000) - (23ll << 52);
    return u.d;
}
static double accuracy(int islog) {
    static float x[1024], y[1024];
    double worst = 0;
    for (int b = 0; b < 64; b++) {
        for (int i = 0; i < 1024; i++) {
            float u = lcg_f01();
            if (!islog)
                x[i] = b < 32 ? -86.5f + 173.0f * u : -1.0f + 2.0f * u;
            else {
                union {
                    uint32_t i;
                    float f;
                } c = {0x00800000u + (uint32_t)(u * (double)0x7e800000u)};
                x[i] = b < 32 ? c.f : 0.5f + 1.5f * u;
            }
        }
        for (size_t i = 0, vl; i < 1024; i += vl) {
            vl = __riscv_vsetvl_e32m4(1024 - i);
            vfloat32m4_t v = __riscv_vle32_v_f32m4(x + i, vl);
            __riscv_vse32_v_f32m4(y + i, islog ? log_m4(v, vl) : exp_m4(v, vl), vl);
        }
        for (int i = 0; i < 1024; i++) {
            double r = islog ? d_log(x[i]) : d_exp(x[i]), e = y[i] - r;
            if (e < 0)
                e = -e;
            e /= ulp_of(r);
            if (e > worst)
                worst = e;
        }
    }
    return worst;
}

const char *bench_name = "blackscholes";
static float S[N], K[N], T[N], call[N], put[N], rc[N], rp[N];
void bench_main(void) {
    lcg_seed(12345);
    for (int i = 0; i < N; i++)
        S[i] = lcg_range(5, 30);
    for (int i = 0; i < N; i++)
        K[i] = lcg_range(1, 100);
    for (int i = 0; i < N; i++)
        T[i] = lcg_range(0.25f, 10);
#define PREP                                                                                       \
    memset(call, 0, sizeof call);                                                                  \
    memset(put, 0, sizeof put)
#define A S, K, T, call, put, 0.02f, 0.30f, N
#define ERR err_f32(call, rc, N) + err_f32(put, rp, N), 1e-5
    RUN("scalar", N, PREP, plain_scalar(A), 0, 0);
    memcpy(rc, call, sizeof call);
    memcpy(rp, put, sizeof put);
    RUN("autovec", N, PREP, plain_autovec(A), ERR);
    RUN("hand_spmd", N, PREP, bs_m4(A), ERR);
    RUN("hand", N, PREP, bs_m4(A), ERR);
    RUN("x_m2", N, PREP, bs_m2(A), ERR);
    // error columns of these two rows: worst error in ulp
    RUN("x_exp_ulp", N, , , accuracy(0), 4);
    RUN("x_log_ulp", N, , , accuracy(1), 4);
}
#endif
