// SPDX-License-Identifier: Apache-2.0
// Vectors that don't fit into registers, without the stack: made again by several instructions, or
// parked as signs.
// RUN: %cc %s --vlen=256 --emit=asm | FileCheck %s
// RUN: %cc %s --vlen=256 --emit=spmd | FileCheck --check-prefix=SPMD %s
// RUN: %cc %s --vlen=256 --stats -o %t 2>&1 | FileCheck --check-prefix=STATS %s

// The library says that an exponential has no sign.
// SPMD-LABEL: @tails(
// SPMD: fmul {{.*}} !rivulet.never_negative

float tail(float d) {
    float k = 1.0f / (1.0f + 0.25f * fabs(d));
    float c = 0.375f * exp(-0.5f * d * d) * (k * (0.5f + k * (-0.25f + k * (1.75f - k))));
    return d > 0.0f ? 1.0f - c : c;
}

// The comparison is made while what it compares is there, and is wanted when that no longer is. The
// power of two is made again of the argument, from which its exponent came: 23 is the place of that.
// STATS: kernel tails: {{.*}} LMUL up to 8, {{.*}} 0 vector spills
// CHECK-LABEL: tails:
// CHECK: vfadd.vf [[T:v[0-9]+]]
// CHECK: vfmul
// CHECK: vminu.vx
// CHECK: vmfgt.vf v0, [[D:v[0-9]+]]
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
    float c = tail(d), e = tail(d - 0.5f * r);
    out[i] = a[i] * c - b[i] * e;
    other[i] = b[i] * (1.0f - e) - a[i] * (1.0f - c);
}

// Nothing is known of this one's sign.
// CHECK-LABEL: signed_tails:
// CHECK-NOT: vfneg.v {{.*}} v0.t
// CHECK: .cfi_endproc
float signed_tail(float d) {
    float k = 1.0f / (1.0f + 0.25f * fabs(d));
    float c = 0.375f * log(-0.5f * d * d) * (k * (0.5f + k * (-0.25f + k * (1.75f - k))));
    return d > 0.0f ? 1.0f - c : c;
}
kernel void signed_tails(global const float *a, global const float *b, global float *out,
                         global float *other) {
    int i = get_global_id(0);
    float r = sqrt(b[i]), d = log(a[i]) / r;
    float c = signed_tail(d), e = signed_tail(d - 0.5f * r);
    out[i] = a[i] * c - b[i] * e;
    other[i] = b[i] * (1.0f - e) - a[i] * (1.0f - c);
}
