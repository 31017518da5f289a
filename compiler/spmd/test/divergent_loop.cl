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
