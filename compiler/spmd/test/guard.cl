// SPDX-License-Identifier: Apache-2.0
// A guard ends the row earlier: no mask is left.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @guarded(
// CHECK: call i64 @llvm.smin.i64
// CHECK-NOT: icmp ult <vscale
// CHECK: @llvm.vp.store{{.*}}splat (i1 true)
// CHECK-NOT: icmp ult <vscale
kernel void guarded(global float *a, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    a[i] += 1.0f;
}
