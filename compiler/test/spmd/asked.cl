// SPDX-License-Identifier: Apache-2.0
// any() and all() of a vector are asked component by component, for all lanes.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @asked(
// CHECK: or <vscale x [[N:[0-9]+]] x i1>
// CHECK-NOT: lane
// CHECK: call void @llvm.vp.store
kernel void asked(global const float4 *a, global int *b) {
    int x = get_global_id(0);
    b[x] = any(a[x] > 3.0f);
}
