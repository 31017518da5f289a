// SPDX-License-Identifier: Apache-2.0
// Lanes that are not active do no harm.
// RUN: %cc %s --emit=spmd | FileCheck %s
// They may hold zeros: divisions look at the mask, unless they are by a constant.
// CHECK-LABEL: @divided(
// CHECK: udiv <vscale x [[N:[0-9]+]] x i32> %{{.*}}, splat (i32 7)
// CHECK: @llvm.vp.udiv{{.*}}, <vscale x [[N]] x i1> %
kernel void divided(global const uint *a, global uint *b) {
    int x = get_global_id(0);
    if (a[x] > 3)
        b[x] = a[x] / 7 + a[x] / a[x + 1];
}
// A uniform instruction that may trap runs only if a lane is active.
// CHECK-LABEL: @alike(
// CHECK: [[ANY:%.*]] = call i1 @llvm.vp.reduce.or
// CHECK-NEXT: br i1 [[ANY]]
// CHECK: udiv i32
kernel void alike(global uint *b, uint n, uint by) {
    int x = get_global_id(0);
    if (b[x] > 3)
        b[x] += n / by;
}
// CHECK-LABEL: @loaded(
// CHECK: [[ANY:%.*]] = call i1 @llvm.vp.reduce.or
// CHECK-NEXT: br i1 [[ANY]]
// CHECK: load float
kernel void loaded(global float *b, global const float *a) {
    int x = get_global_id(0);
    if (b[x] > 3)
        b[x] += a[5];
}
// An inactive lane 0 may have an address before the buffer: its index is below zero then.
// CHECK-LABEL: @behind(
// CHECK: [[AT:%.*]] = add i32 %{{.*}}, -1
// CHECK: sext i32 [[AT]] to i64
// CHECK: @llvm.vp.load{{.*}}, <vscale x [[N:[0-9]+]] x i1> %
kernel void behind(global float *b, global const float *a) {
    uint x = get_global_id(0);
    float v = a[x];
    if (v > 3)
        v += a[x - 1];
    b[x] = v;
}
// The first lane's index may wrap if that lane isn't active: the difference has 64 bits.
// CHECK-LABEL: @from_lane(
// CHECK: %live{{.*}} = phi
// CHECK-NOT: sub {{.*}}i32
// CHECK: shl {{.*}}i64 %{{.*}}, 2
// CHECK: {{^}}}
kernel void from_lane(global int *a, int n) {
    int x = get_global_id(0), i = 0;
    while (a[x] > i) {
        if (x >= n)
            a[x - n] += i;
        ++i;
    }
}
