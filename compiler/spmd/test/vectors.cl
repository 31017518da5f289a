// SPDX-License-Identifier: Apache-2.0
// OpenCL's vectors are split: a lane is a work-item, never a component.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @lengths(
// CHECK-COUNT-4: call <vscale x {{[0-9]+}} x float> @llvm.experimental.vp.strided.load
kernel void lengths(global const float4 *a, global float *b) {
    size_t i = get_global_id(0);
    b[i] = a[i].x * a[i].x + a[i].y * a[i].y + a[i].z * a[i].z + a[i].w;
}
