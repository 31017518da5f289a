// SPDX-License-Identifier: Apache-2.0
// A collective is a loop over the group's operands between two regions.
// RUN: %cc %s --emit=spmd -cl-std=CL3.0 -rvl-vectorize=off | FileCheck %s
// CHECK-LABEL: @total(
// CHECK: collective:
// CHECK: add i32
// CHECK-NOT: call {{.*}}work_group_reduce
int __attribute__((overloadable, convergent)) work_group_reduce_add(int);
kernel void total(global int *a) {
    a[get_global_id(0)] = work_group_reduce_add(a[get_global_id(0)]);
}
