// SPDX-License-Identifier: Apache-2.0
// Code that one work-item runs alone is scalar: its ids and the test whether it is in the strip,
// too.
// RUN: %cc %s --vlen=128 --emit=spmd | FileCheck %s
// CHECK-LABEL: @first(
// CHECK: call void @llvm.vp.store
// CHECK-NOT: llvm.vp
// CHECK: store float
// CHECK: {{^}}}
kernel void first(global const float *a, local float *b, int n) {
    int x = get_global_id(0), l = get_local_id(0);
    b[l + 1] = a[x];
    if (l == 0)
        b[0] = x > 0 ? a[x - 1] : 0;
}
// Conditions for single lanes aren't combined with those before them; one that is never true isn't
// tested.
// CHECK-LABEL: @ends(
// CHECK: call void @llvm.vp.store
// CHECK-NOT: llvm.vp
// CHECK: store float
// CHECK-NOT: llvm.vp
// CHECK: store float
// CHECK-NOT: llvm.vp
// CHECK: {{^}}}
kernel void ends(global const float *a, local float *b, int n) {
    int x = get_global_id(0), l = get_local_id(0);
    b[l + 1] = a[x];
    if (l == 0)
        b[0] = x > 0 ? a[x - 1] : 0;
    if (l == 15)
        b[17] = x < n - 1 ? a[x + 1] : 0;
}
// The cases of a switch are tested one after the other; the last of all possible values needs no
// comparison.
// CHECK-LABEL: @cases(
// CHECK-COUNT-3: icmp eq <vscale x {{[0-9]+}} x i32> %{{.*}}, {{splat|zero}}
// CHECK-NOT: icmp {{[a-z]+}} <vscale
// CHECK: {{^}}}
kernel void cases(global float *a, global const int *b) {
    uint i = get_global_id(0);
    float v = a[i];
    switch (b[i] & 3) {
    case 0: v = v * v; break;
    case 1: v = v + 1; break;
    case 2: v = v / 3; break;
    case 3: v = a[i + 1]; break;
    }
    a[i] = v;
}
// An int id plus one is an int, too.
// CHECK-LABEL: @next(
// CHECK-NOT: shl i64 %{{.*}}, 32
// CHECK: {{^}}}
kernel void next(global const float *a, local float *b) {
    int l = get_local_id(0) + 1;
    b[l] = a[get_global_id(0)];
}
