// SPDX-License-Identifier: Apache-2.0
// In a loop that lanes leave in any order, the bound that all of them share is a scalar branch.
// RUN: %cc %s --emit=spmd | FileCheck %s
// RUN: %cc %s --emit=spmd | FileCheck %s --check-prefix=ASIDE
// CHECK-LABEL: @escape(
// CHECK: %live{{.*}} = phi <vscale x {{[0-9]+}} x i1>
// CHECK: %[[IN:[a-z0-9.]+]] = icmp {{.*}}i32 {{.*}}
// CHECK: br i1 %[[IN]]
// CHECK: @llvm.vp.reduce.or
// The exit values are merged once, before, for all lanes that are left.
// ASIDE-LABEL: @escape(
// ASIDE: select <vscale x {{[0-9]+}} x i1> %live{{.*}} %aside
// ASIDE-NEXT: br i1
kernel void escape(global uint *a, uint most) {
    uint i = get_global_id(0), n = a[i], steps = 0;
    while (steps < most && n > 1) {
        n = n & 1 ? n * 3 + 1 : n >> 1;
        ++steps;
    }
    a[i] = steps;
}
// An exit that lanes don't reach in each iteration sets no exit values before lanes leave: it would
// overwrite those of lanes that left earlier.
// CHECK-LABEL: @passed_by(
// CHECK: strip{{.*}}:
// CHECK-NOT: phi <vscale x {{[0-9]+}} x i1>
// CHECK: phi i64
kernel void passed_by(global const uint *a, global float *b, uint n, uint u) {
    uint x = get_local_id(0);
    uint v = a[x];
    uint i = 0;
    do {
        if (u == 5) {
            v += a[v & 7];
            if (n > 1000 + i)
                return;
        }
    } while (++i < (v & 7));
    b[x] = 1;
}
// The order of the two conditions doesn't matter.
// CHECK-LABEL: @escape_late(
// CHECK: %live{{.*}} = phi <vscale x {{[0-9]+}} x i1>
// CHECK: icmp ult i32 %steps
// CHECK: br i1 %{{.*}}, label %stay
kernel void escape_late(global uint *a, uint most) {
    uint i = get_global_id(0), n = a[i], steps = 0;
    while (n > 1 && steps < most) {
        n = n & 1 ? n * 3 + 1 : n >> 1;
        ++steps;
    }
    a[i] = steps;
}
// An exit that only some lanes reach is not taken by all together.
// CHECK-LABEL: @some_come(
// CHECK: %live{{.*}} = phi
// CHECK: %[[OUT:[a-z0-9.]+]] = icmp eq i32
// CHECK-NOT: br i1 %[[OUT]]
// CHECK: insertelement <vscale x {{[0-9]+}} x i1> poison, i1 %[[OUT]]
kernel void some_come(global int *a, global int *b, int n) {
    int x = get_global_id(0), v = a[x], k = 0;
    do {
        if (v & 1) {
            b[x + k] = v;
            if (n == k + 5)
                break;
            v = v * 3 + 1;
        }
        v = v / 2 + b[k];
    } while (++k < n + (v & 3));
    a[x] = v;
}
// A break may leave the scope of a variable.
// CHECK-LABEL: @scope(
// CHECK: %live{{.*}} = phi <vscale x {{[0-9]+}} x i1>
// CHECK: %[[IN:[a-z0-9.]+]] = icmp {{.*}}i32 {{.*}}
// CHECK: br i1 %[[IN]]
// CHECK-NOT: switch
// CHECK: @llvm.vp.reduce.or
kernel void scope(global float *a, global int *b, int most) {
    int i = get_global_id(0), steps = 0;
    float x = 0;
    while (steps < most) {
        float square = x * x;
        if (square > 4)
            break;
        x = square + a[i];
        ++steps;
    }
    b[i] = steps;
}
