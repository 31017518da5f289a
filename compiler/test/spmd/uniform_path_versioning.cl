// SPDX-License-Identifier: Apache-2.0
// A comparison that turns once in a row is the same for all lanes of most strips: for those the
// branch stays one, without masks.
// RUN: %cc %s --vlen=128 --emit=spmd | FileCheck %s
// CHECK-LABEL: @shifted(
// CHECK: br i1 %{{.*}}, label %[[UNIFORM:.*uniform.*]], label %[[MIXED:.*mixed.*]], !dbg
// CHECK: [[UNIFORM]]:
// CHECK: br i1
// CHECK: [[MIXED]]:
// CHECK: @llvm.vp.load{{.*}}(ptr {{.*}}, <vscale x [[N:[0-9]+]] x i1> %
// CHECK: @llvm.vp.load{{.*}}(ptr {{.*}}, <vscale x [[N]] x i1> splat (i1 true)
kernel void shifted(global const float *a, local float *b, int from) {
    int x = get_local_id(0);
    float v = a[x];
    if (x >= from)
        v += a[x - from];
    b[x] = v;
}
// One work-item is in one strip only.
// CHECK-LABEL: @single(
// CHECK: [[FAR:%.*]] = icmp ugt i32 %{{.*}}, 31
// CHECK-NEXT: br i1 [[FAR]],
kernel void single(global const float *a, local float *b, int which) {
    int x = get_local_id(0);
    float v = a[x];
    if (x == which)
        v += b[x];
    b[x + 1] = v;
}
// An index that may wrap tells nothing of the lanes between.
// CHECK-LABEL: @wraps(
// CHECK-NOT: .uniform
// CHECK: {{^}}}
kernel void wraps(global const float *a, local float *b, uint from, uint by) {
    uint x = get_local_id(0);
    float v = a[x];
    if (x * 3 >= from)
        v += b[x];
    b[x] = v;
}
// Lane numbers are compared in 16 bits.
// CHECK-LABEL: @numbered(
// CHECK: icmp {{eq|ne}} <vscale x [[N:[0-9]+]] x i16>
kernel void numbered(global const float *a, local float *b, int n) {
    int x = get_local_id(0);
    b[x] = x + 3 == n ? a[x] * 2 : a[x];
}
// Without memory there is nothing to save.
// CHECK-LABEL: @computed(
// CHECK-NOT: .uniform
// CHECK: {{^}}}
kernel void computed(global const float *a, local float *b, int from) {
    int x = get_local_id(0);
    float v = a[x];
    if (x >= from)
        v = v * 3 + 1;
    b[x] = v;
}
// A branch within the region that is uniform, but merges with a divergent one, stays under masks.
// CHECK-LABEL: @within(
// CHECK-NOT: .uniform
// CHECK: attributes #0
kernel void within(global const int *a, local int *b, int from, uint by) {
    int x = get_local_id(0);
    int v = a[x];
    if (x >= from) {
        if (by == 0 || (uint)v % by != 0)
            v += a[v & 7] / (v | 1);
        b[x + 8] = v;
    }
    b[x] = v;
}
