// SPDX-License-Identifier: Apache-2.0
// A collective is a loop over the group's operands between two regions.
// RUN: %cc %s --emit=spmd -cl-std=CL3.0 -rvl-vectorize=off | FileCheck %s
// CHECK-LABEL: @total(
// CHECK: collective:
// CHECK: add i32
// CHECK-NOT: call {{.*}}work_group_reduce
// On the vector unit, of as many as fit.
// RUN: %cc %s --emit=spmd -cl-std=CL3.0 | FileCheck %s --check-prefix=VECTOR
// VECTOR-LABEL: @total(
// VECTOR: collective:
// VECTOR: @llvm.vp.reduce.add.nxv16i32
int __attribute__((overloadable, convergent)) work_group_reduce_add(int);
kernel void total(global int *a) {
    a[get_global_id(0)] = work_group_reduce_add(a[get_global_id(0)]);
}
// VECTOR-LABEL: @before(
// VECTOR: collective:
// VECTOR: @llvm.vp.load.nxv16f32
// VECTOR: scan:
// VECTOR: @llvm.riscv.vslideup
// VECTOR: call {{.*}}@llvm.minnum.nxv16f32
// VECTOR: scan.done:
// VECTOR: @llvm.riscv.vfslide1up
// VECTOR: call void @llvm.vp.store
kernel void before(global float *a) {
    a[get_global_id(0)] = work_group_scan_exclusive_min(a[get_global_id(0)]);
}
// No instruction multiplies all elements of a vector.
// VECTOR-LABEL: @product(
// VECTOR-NOT: vp.reduce
// VECTOR: @llvm.riscv.vslideup
// VECTOR: mul <vscale x 16 x i32>
int __attribute__((overloadable, convergent)) work_group_reduce_mul(int);
kernel void product(global int *a) {
    a[get_global_id(0)] = work_group_reduce_mul(a[get_global_id(0)]);
}
