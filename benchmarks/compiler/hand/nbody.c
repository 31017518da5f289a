// SPDX-License-Identifier: Apache-2.0
// HANDFLAGS: -mllvm -enable-misched=false
#include "bench.h"
#define N 256
typedef struct {
    float x, y, z, w;
} f4;
#define ARGS                                                                                       \
    const f4 *restrict pos, const f4 *restrict vel, f4 *restrict npos, f4 *restrict nvel, int n,   \
        float dt, float eps2
#ifdef BENCH_PLAIN
void BENCH_PLAIN(ARGS) {
    for (int i = 0; i < n; i++) {
        f4 p = pos[i], v = vel[i];
        float ax = 0, ay = 0, az = 0;
        for (int j = 0; j < n; j++) {
            f4 q = pos[j];
            float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
            float r2 = dx * dx + dy * dy + dz * dz + eps2;
            float inv = 1.0f / __builtin_sqrtf(r2);
            float s = q.w * inv * inv * inv;
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        v.x += ax * dt;
        v.y += ay * dt;
        v.z += az * dt;
        p.x += v.x * dt;
        p.y += v.y * dt;
        p.z += v.z * dt;
        npos[i] = p;
        nvel[i] = v;
    }
}
#else
#include <riscv_vector.h>
void plain_scalar(ARGS);
void plain_autovec(ARGS);

// lane = body i; body j is uniform (four scalar loads).  m4 uses all eight register groups, so the
// differences are formed twice instead of kept.  m/(r2*sqrt(r2)) replaces m*inv*inv*inv.
#define T vfloat32m4_t
#define SUB(a, s) __riscv_vfsub_vf_f32m4(a, s, vl) // p - q, only squared
#define RSUB(a, s)                                                                                 \
    __riscv_vfrsub_vf_f32m4(a, s, vl) // q - p; two forms, so the compiler does not merge them
#define FMA(d, a, b) __riscv_vfmacc_vv_f32m4(d, a, b, vl)
NOINLINE void hand(ARGS) {
    size_t vl;
    for (long i = 0; i < n; i += vl) {
        vl = __riscv_vsetvl_e32m4(n - i);
        const float *p = &pos[i].x, *v = &vel[i].x;
        float *np = &npos[i].x, *nv = &nvel[i].x;
        T px = __riscv_vlse32_v_f32m4(p, 16, vl), py = __riscv_vlse32_v_f32m4(p + 1, 16, vl),
          pz = __riscv_vlse32_v_f32m4(p + 2, 16, vl);
        T ax = __riscv_vfmv_v_f_f32m4(0, vl), ay = ax, az = ax;
        const f4 *q = pos, *e = pos + n;
#pragma clang loop unroll(disable)
        for (; q != e; q++) {
            T t = SUB(px, q->x);
            T r = __riscv_vfmul_vv_f32m4(t, t, vl);
            t = SUB(py, q->y);
            r = FMA(r, t, t);
            t = SUB(pz, q->z);
            r = FMA(r, t, t);
            r = __riscv_vfadd_vf_f32m4(r, eps2, vl);
            T s = __riscv_vfmul_vv_f32m4(r, __riscv_vfsqrt_v_f32m4(r, vl), vl);
            s = __riscv_vfrdiv_vf_f32m4(s, q->w, vl);
            ax = FMA(ax, RSUB(px, q->x), s);
            ay = FMA(ay, RSUB(py, q->y), s);
            az = FMA(az, RSUB(pz, q->z), s);
        }
#define AXIS(k, a, pp)                                                                             \
    {                                                                                              \
        T w = __riscv_vfmacc_vf_f32m4(__riscv_vlse32_v_f32m4(v + k, 16, vl), dt, a, vl);           \
        __riscv_vsse32_v_f32m4(nv + k, 16, w, vl);                                                 \
        __riscv_vsse32_v_f32m4(np + k, 16, __riscv_vfmacc_vf_f32m4(pp, dt, w, vl), vl);            \
    }
        AXIS(0, ax, px);
        AXIS(1, ay, py);
        AXIS(2, az, pz);
        __riscv_vsse32_v_f32m4(np + 3, 16, __riscv_vlse32_v_f32m4(p + 3, 16, vl), vl);
        __riscv_vsse32_v_f32m4(nv + 3, 16, __riscv_vlse32_v_f32m4(v + 3, 16, vl), vl);
    }
}

const char *bench_name = "nbody";
static f4 pos[N], vel[N], np[N], nv[N], rp[N], rv[N];
void bench_main(void) {
    lcg_seed(12345);
    for (int i = 0; i < N; i++) {
        pos[i].x = lcg_range(-1, 1);
        pos[i].y = lcg_range(-1, 1);
        pos[i].z = lcg_range(-1, 1);
        pos[i].w = lcg_range(0.5f, 1.5f);
        vel[i].x = lcg_range(-1, 1);
        vel[i].y = lcg_range(-1, 1);
        vel[i].z = lcg_range(-1, 1);
        vel[i].w = 0;
    }
#define PREP                                                                                       \
    memset(np, 0, sizeof np);                                                                      \
    memset(nv, 0, sizeof nv)
#define A pos, vel, np, nv, N, 0.001f, 0.01f
#define ERR err_f32(&np->x, &rp->x, 4 * N) + err_f32(&nv->x, &rv->x, 4 * N), 1e-5
    RUN("scalar", N, PREP, plain_scalar(A), 0, 0);
    memcpy(rp, np, sizeof np);
    memcpy(rv, nv, sizeof nv);
    RUN("autovec", N, PREP, plain_autovec(A), ERR);
    RUN("hand_spmd", N, PREP, hand(A), ERR);
    RUN("hand", N, PREP, hand(A), ERR);
}
#endif
