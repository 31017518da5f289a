// SPDX-License-Identifier: Apache-2.0
// Values in vector registers: how many lanes, and what is done where registers don't last.
// RUN: %cc %s --vlen=256 --emit=asm | FileCheck %s
// RUN: %cc %s --vlen=256 --stats -o %t 2>&1 | FileCheck --check-prefix=STATS %s

// Twelve values are carried in registers from iteration to iteration: fewer lanes, no spills.
// STATS: kernel carried: {{.*}} LMUL up to 2, {{.*}} 0 vector spills
kernel void carried(global const float *a, global float *out, int n) {
    float v[12];
    int i = get_global_id(0);
    for (int k = 0; k < 12; ++k)
        v[k] = i + k;
    for (int step = 0; step < n; ++step)
        for (int k = 0; k < 12; ++k)
            v[k] = fma(v[k], v[k], a[step]);
    float sum = 0;
    for (int k = 0; k < 12; ++k)
        sum += v[k];
    out[i] = sum;
}

// The start value of a loop has the strip's VL, so that no vsetvli changes it.
// CHECK-LABEL: row_sum:
// CHECK: vsetvli {{[a-z0-9]+}}, {{[a-z0-9]+}}, e32
// CHECK-NOT: vsetvli
// CHECK: vmv.v.i {{v[0-9]+}}, 0
// CHECK-NOT: vsetvli
// CHECK: vfadd.vv
kernel void row_sum(global const float *a, global float *out, int n) {
    int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[k * 1024 + i];
    out[i] = sum;
}

// Three differences with two uses each are computed twice: six sums and addresses fill the
// registers.
// CHECK-LABEL: forces:
// CHECK: vfsqrt.v
// CHECK-NOT: {{vl[1248]r.v|vs[1248]r.v}}
// CHECK: vfrsub.vf
// CHECK-NOT: {{vl[1248]r.v|vs[1248]r.v}}
// CHECK: bne
// STATS: kernel forces: {{.*}} LMUL up to 4,
kernel void forces(global const float *x, global const float *y, global const float *z,
                   global float *out, int n) {
    int i = get_global_id(0);
    float px = x[i], py = y[i], pz = z[i], ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; ++j) {
        float dx = x[j] - px, dy = y[j] - py, dz = z[j] - pz;
        float inverse = 1 / sqrt(dx * dx + dy * dy + dz * dz + 0.01f);
        float s = inverse * inverse * inverse;
        ax += dx * s;
        ay += dy * s;
        az += dz * s;
    }
    out[3 * i] = ax;
    out[3 * i + 1] = ay;
    out[3 * i + 2] = az;
}

// Constants of a polynomial don't fill registers all through the loop over strips.
// STATS: kernel polynomial: {{.*}} 0 vector spills
kernel void polynomial(global const float *a, global float *out) {
    int i = get_global_id(0);
    float x = a[i], p = 1;
    p = fma(p, x, 2.1f);
    p = fma(p, x, 3.2f);
    p = fma(p, x, 4.3f);
    p = fma(p, x, 5.4f);
    p = fma(p, x, 6.5f);
    p = fma(p, x, 7.6f);
    out[i] = p;
}

// Loads move behind a loop that doesn't use them, if no store aliases them: to the store of the
// result, which comes before the loop in the code.
// CHECK-LABEL: wanted_later:
// CHECK-COUNT-3: vle32.v
// CHECK: vse32.v
// CHECK-COUNT-2: vle32.v
// CHECK-NOT: vle32.v
// CHECK: flw
kernel void wanted_later(global const float *a, global const float *b, global const float *c,
                         global float *out, int n) {
    int i = get_global_id(0);
    float p = a[i], q = a[i + 1000];
    float u = b[i], v = b[i + 1000], w = b[i + 2000];
    for (int j = 0; j < n; ++j) {
        p = fma(p, c[j], q);
        q = fma(q, c[j], p);
    }
    out[i] = p * u + q * v + w;
}

// Under register pressure, a load is repeated if nothing is written in between.
// CHECK-LABEL: again:
// CHECK-COUNT-2: vle32.v
// CHECK-COUNT-9: vfdiv.vv
// CHECK: vle32.v
// CHECK-NOT: vle32.v
// CHECK: vse32.v
// STATS: kernel again: {{.*}} LMUL up to 4, {{.*}} 0 vector spills
kernel void again(global const float *restrict a, global const float *restrict b,
                  global float *restrict out) {
    int i = get_global_id(0);
    float x = a[i], y = b[i], z = sqrt(x), w = sqrt(y);
    float p = x * y + z, q = x * z + w, r = x * w + y, s = y * z + x, t = y * w + z, u = z * w + x;
    float v = p / q / r / s / t / u;
    out[i] = (p * v + q * v * v) / (r + v) / (s + v) / (t + v) / (u + v) + x + y;
}

// Scalars of both signs take one register.
// CHECK-LABEL: signs:
// CHECK: vfmul.vf {{v[0-9]+}}, {{v[0-9]+}}, [[CONSTANT:f[a-z]+[0-9]+]]
// CHECK: vfnmsac.vf {{v[0-9]+}}, [[CONSTANT]], {{v[0-9]+}}
// CHECK: vfmul.vf {{v[0-9]+}}, {{v[0-9]+}}, [[ARGUMENT:f[a-z]+[0-9]+]]
// CHECK: vfnmsac.vf {{v[0-9]+}}, [[ARGUMENT]], {{v[0-9]+}}
// CHECK: vfsub.vf {{v[0-9]+}}, {{v[0-9]+}}, [[CONSTANT]]
kernel void signs(global const float *a, global float *out, float scale) {
    int i = get_global_id(0);
    float x = a[i];
    float y = fma(x, -0.7f, x * 0.7f);
    out[i] = fma(y, -scale, x * scale) - 0.7f;
}

// Under register pressure, a load before a loop that only the loop uses moves into it.
// STATS: kernel hoisted: {{.*}} LMUL up to 8, {{.*}} 0 vector spills
kernel void hoisted(global const float *restrict a, global const float *restrict w,
                    global float *restrict out, int n) {
    int i = get_global_id(0);
    for (int j = 0; j < n; ++j) {
        float s = 0;
        for (int k = 0; k < 12; ++k)
            s = fma(a[i + k * 1000], w[j * 12 + k], s);
        out[j * 4096 + i] = s;
    }
}

// A load stays before a loop that may store to its address.
// STATS: kernel overwritten: {{.*}} {{[1-9][0-9]*}} vector spills
kernel void overwritten(global const float *restrict w, global float *a, int n) {
    int i = get_global_id(0);
    float v[12];
    for (int k = 0; k < 12; ++k)
        v[k] = a[i + k * 1000];
    for (int j = 0; j < n; ++j) {
        float s = 0;
        for (int k = 0; k < 12; ++k)
            s = fma(v[k], w[j * 12 + k], s);
        a[j * 4096 + i] = s;
    }
}

// Without free registers, fields are stored one by one, as soon as they are computed.
// CHECK-LABEL: fields:
// CHECK-NOT: {{vss?seg}}
// CHECK-COUNT-8: vsse32.v
kernel void fields(global const float4 *p, global const float4 *v, global float4 *q,
                   global float4 *u, float dt) {
    int i = get_global_id(0);
    float4 speed = v[2 * i], place = p[2 * i];
    float r = rsqrt(dot(place, place)), s = rsqrt(dot(speed, speed));
    speed = speed * r + place * dt;
    place = place * s + speed * dt;
    q[2 * i] = place;
    u[2 * i] = speed;
}

// A bound that is the same for all lanes stays a scalar.
// CHECK-LABEL: bounded:
// CHECK: vfmin.vf
kernel void bounded(global const float *a, global float *out, float high, int n) {
    int i = get_global_id(0);
    float s = a[i];
    for (int j = 0; j < n; ++j)
        s = fmin(s * s, high);
    out[i] = s;
}

// Vectors that don't fit are spilled where that costs least; their uses are scheduled early.
// STATS: kernel spilled: {{.*}} LMUL up to 8, {{.*}} {{[0-4]}} vector spills
kernel void spilled(global const float *a, global const float *b, global float *out,
                     global float *other) {
    int i = get_global_id(0);
    float x = log(a[i] / b[i]);
    float y = log(x * x + 1.5f);
    out[i] = x * y;
    other[i] = exp(x) - y;
}

// In a loop without registers for splats of the addend, a fused multiply-add is split.
// CHECK-LABEL: collatz:
// CHECK: vsetvli
// CHECK: vmul.vx
// CHECK: vadd.vi
// CHECK: .cfi_endproc
// STATS: kernel collatz: {{.*}} LMUL up to 8, {{.*}} 0 vector spills
kernel void collatz(global const uint *a, global uint *out) {
    int i = get_global_id(0);
    uint x = a[i], steps = 0;
    while (x > 1 && steps < 100) {
        x = x & 1 ? 3 * x + 1 : x >> 1;
        steps++;
    }
    out[i] = steps;
}

// A product is computed while its factors are live, instead of within an FMA later, if that keeps a
// factor in its register; FMA contraction rounds it once.
// STATS: kernel product: {{.*}} LMUL up to 8, {{.*}} {{[0-2]}} vector spills
kernel void product(global const float *a, global const float *b, global float *out,
                    global float *other) {
    int i = get_global_id(0);
    float p = exp(a[i] + b[i]);
    float q = exp(p * a[i]);
    float w = exp(q * b[i]);
    out[i] = a[i] * p - w * q;
    other[i] = w * (1.0f - q) - a[i] * (1.0f - p);
}

// Beside such vectors, an addend that isn't kept as a splat is added by an instruction of its own,
// and scalars that don't fit are reloaded at their uses.
// CHECK-LABEL: scalars:
// CHECK: vsetvli
// CHECK-NOT: {{vmv.v.x|fmv.s|fsw}}
// CHECK: flw {{[a-z0-9]+}}, {{[0-9]+}}(sp)
// CHECK-NOT: {{vmv.v.x|fmv.s|fsw}}
// CHECK: bltu
kernel void scalars(global const float *a, global const float *b, global float *out,
                    global float *other) {
    int i = get_global_id(0);
    float x = log(a[i] / b[i]);
    float y = log10(x * x + 1.5f);
    float z = exp(y - x);
    z = z * y + 2.1f;
    z = z * x + 3.2f;
    z = z * y + 4.3f;
    out[i] = x * y;
    other[i] = exp(x) - y * z;
}

// A passthru constant of masked-off lanes is rematerialised in the loop over groups, not copied
// there.
// CHECK-LABEL: padded:
// CHECK: amoadd.w
// CHECK-NOT: vmv8r
// CHECK: vmv.v.i [[V:v[0-9]+]], 7
// CHECK-NOT: vmv8r
// CHECK: vle32.v [[V]], ({{.*}}), v0.t
// CHECK: ret
kernel void __attribute__((reqd_work_group_size(64, 1, 1)))
padded(global const uint *a, global uint *out) {
    local uint shifted[64];
    uint i = get_global_id(0), l = get_local_id(0);
    shifted[l] = l > 2 ? a[i - 3] : 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = shifted[63 - l];
}
