// SPDX-License-Identifier: Apache-2.0
// OpenCL's vectors are split: a lane is a work-item, never a component. Components that lie side
// by side come by one segment access.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @sums(
// CHECK: call target("riscv.vector.tuple", {{.*}}, 4) @llvm.riscv.vlseg4.mask
// CHECK-NOT: strided.load
kernel void sums(global const uchar4 *a, global uint *b) {
    size_t i = get_global_id(0);
    b[i] = a[i].x + a[i].y * 2 + a[i].z * 3 + a[i].w * 4;
}
// A volatile access is split into one access for each component, which don't become a segment.
// CHECK-LABEL: @counted(
// CHECK-NOT: tuple
// CHECK-COUNT-4: @llvm.riscv.vsse.
// CHECK-NOT: @llvm.riscv.vs
kernel void counted(volatile global int4 *a) {
    int i = get_global_id(0);
    a[i] = (int4)(i, 0, -i, i * i);
}
