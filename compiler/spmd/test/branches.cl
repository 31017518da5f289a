// SPDX-License-Identifier: Apache-2.0
// A uniform branch stays one; a divergent one becomes masks.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @uniform(
// CHECK: and i32 %{{.*}}, 1
// CHECK: br i1
// CHECK-NOT: vp.store{{.*}}<vscale x {{[0-9]+}} x i1> %
// CHECK-LABEL: @divergent(
// CHECK: vp.store{{.*}}<vscale x {{[0-9]+}} x i1> %
kernel void uniform(global uint *a, global const uint *flags) {
    uint i = get_global_id(0);
    if (flags[0] & 1)
        a[i] = 3;
}
kernel void divergent(global uint *a, global const uint *flags) {
    uint i = get_global_id(0);
    if (flags[i] & 1)
        a[i] = 3;
}
// What is the same for a whole row is asked before its strips.
// CHECK-LABEL: @whole(
// CHECK: {{^}}again:
// CHECK: icmp sgt i32 %{{.*}}, 3
// CHECK: {{^}}strip
kernel void whole(global const float *a, global float *b, int n) {
    int x = get_global_id(0);
    float v = a[x];
    if (n > 3)
        v *= a[x + n];
    b[x] = v;
}
