// SPDX-License-Identifier: Apache-2.0
// Vectors that don't fit into registers, without the stack: made again by several instructions, or
// parked as signs.
// RUN: %cc %s --vlen=256 --emit=asm | FileCheck %s
// RUN: %cc %s --vlen=256 --emit=spmd | FileCheck --check-prefix=SPMD %s
// RUN: %cc %s --vlen=256 --stats -o %t 2>&1 | FileCheck --check-prefix=STATS %s

// The library says that an exponential has no sign.
// SPMD-LABEL: @tails(
// SPMD: fmul {{.*}} !rivulet.never_negative

float tail(float d, float scale) {
    float k = 1.0f / (1.0f + 0.25f * fabs(d));
    float c = scale * exp(-0.5f * d * d) * (k * (0.5f + k * (-0.25f + k * (1.75f - k))));
    return d > 0.0f ? 1.0f - c : c;
}

// The exponent is rematerialised from the argument at its use: its bits are shifted to bit 23. The
// comparison is placed where its operands are live, before its use.
// STATS: kernel tails: {{.*}} LMUL up to 8, {{.*}} 0 vector spills
// CHECK-LABEL: tails:
// CHECK: vminu.vx
// CHECK-NOT: vsll.vi
// CHECK: vminu.vx
// CHECK: vsll.vi {{v[0-9]+}}, {{v[0-9]+}}, 23
// CHECK: vmfgt.vf v0,
// CHECK-NEXT: vfneg.v [[E:v[0-9]+]], [[E]], v0.t
// CHECK: vfrdiv
// CHECK: vmslt.vx v0, [[E]], zero
// CHECK-NEXT: vfabs.v [[E]], [[E]]
// CHECK: vfrsub.vf {{.*}} v0.t
// CHECK: .cfi_endproc
kernel void tails(global const float *a, global const float *b, global float *out,
                  global float *other) {
    int i = get_global_id(0);
    float r = sqrt(b[i]), d = log(a[i]) / r;
    float c = tail(d, 0.375f), e = tail(d - 0.5f * r, 0.375f);
    out[i] = a[i] * c - b[i] * e;
    other[i] = b[i] * (1.0f - e) - a[i] * (1.0f - c);
}

// The sign of `scale` is unknown.
// CHECK-LABEL: scaled_tails:
// CHECK-NOT: vfneg.v {{.*}} v0.t
// CHECK: .cfi_endproc
kernel void scaled_tails(global const float *a, global const float *b, global float *out,
                         global float *other, float scale) {
    int i = get_global_id(0);
    float r = sqrt(b[i]), d = log(a[i]) / r;
    float c = tail(d, scale), e = tail(d - 0.5f * r, scale);
    out[i] = a[i] * c - b[i] * e;
    other[i] = b[i] * (1.0f - e) - a[i] * (1.0f - c);
}
