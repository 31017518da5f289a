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
// Uniform conditions are tested before the strips of a row.
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
// The uniform part of a condition is a branch of its own.
// CHECK-LABEL: @in_part(
// CHECK: %[[ALIKE:[a-z0-9.]+]] = icmp slt i32
// CHECK: br i1 %[[ALIKE]]
// CHECK: icmp slt <vscale
// CHECK-NOT: and <vscale
// CHECK: {{^}}}
kernel void in_part(global const float *a, global float *b, int w, int h, int step) {
    int x = get_global_id(0);
    float most = 0;
    for (int y = 0; y < step; ++y)
        if (x * step + y < w && y * step < h)
            most = fmax(most, a[y * w + x * step + y]);
    b[x] = most;
}
// A loop with `continue` is one loop, not one nested in another.
// CHECK-LABEL: @goes_on(
// CHECK-COUNT-1: %live{{.*}} = phi
// CHECK-NOT: %live{{.*}} = phi
// CHECK: {{^}}}
kernel void goes_on(global const uint *a, global uint *b) {
    uint x = get_global_id(0), at = x, steps = 0;
    while (at != 7) {
        uint next = a[at];
        if (next > at) {
            at = a[next];
            continue;
        }
        b[next] = x;
        at = next;
        ++steps;
    }
    b[x] = steps;
}
