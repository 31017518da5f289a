// SPDX-License-Identifier: Apache-2.0
// Lanes that left a loop in different iterations may have taken different exits, even if one of the
// conditions is uniform: the store after the loop is masked.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @left_early(
// CHECK: live
// CHECK: call void @llvm.{{vp.scatter|vp.store|riscv.vsoxei}}{{.*}}, <vscale x {{[0-9]+}} x i1> %
kernel void left_early(global float *to, global const float *from, uint u) {
    uint gid = get_global_id(0);
    float f = from[gid & 1023];
    for (uint i = 0; i < (u & 3) + 1; ++i)
        if (f + f >= f - f)
            return;
    to[gid & 63] = f;
}
