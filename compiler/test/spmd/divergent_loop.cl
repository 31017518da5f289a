// SPDX-License-Identifier: Apache-2.0
// A loop that lanes leave in different iterations runs until no lane is left.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @collatz(
// CHECK: %live{{.*}} = phi <vscale x {{[0-9]+}} x i1>
// CHECK: [[ANY:%[0-9]+]] = call i1 @llvm.vp.reduce.or
// CHECK: br i1 [[ANY]]
kernel void collatz(global uint *a) {
    uint i = get_global_id(0), n = a[i], steps = 0;
    while (n > 1) {
        n = n & 1 ? n * 3 + 1 : n >> 1;
        ++steps;
    }
    a[i] = steps;
}
// A small body that may run without active lanes is emitted twice between two tests for active lanes.
// The counter leaves the loop by its own phi; another exit value needs a second one.
// CHECK-LABEL: @counted(
// CHECK: %aside{{.*}} = phi
// CHECK: %live{{.*}} = phi
// CHECK-COUNT-2: mul {{.*}}, splat (i32 5)
// CHECK: vp.reduce.or
kernel void counted(global uint *a, global uint *b) {
    uint i = get_global_id(0), v = a[i], steps = 0, last = 0;
    while (v > 3) {
        last = v ^ steps;
        v = v * 5 >> 3;
        ++steps;
    }
    a[i] = steps;
    b[i] = last;
}
// CHECK-LABEL: @held(
// CHECK-NOT: %aside
// CHECK: call void @llvm.vp.store
kernel void held(global const uint *a, global uint *b) {
    uint i = get_global_id(0), v = a[i], last = 0;
    while (v > 3) {
        last = v ^ last;
        v = v * 5 >> 3;
    }
    b[i] = last;
}
