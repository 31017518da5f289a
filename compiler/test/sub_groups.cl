// SPDX-License-Identifier: Apache-2.0
// The size of sub-groups is in the note; one that the device hasn't is an error.
// RUN: %cc %s -o %t --vlen=512 && %cc --dump %t | FileCheck %s
// RUN: not %cc %s -DSIZE=24 -o %t --vlen=512 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: kernel 'chosen' requires sub-groups of 24 work-items; this device has them of 8, 16, 32, 64, 128
// A device without a vector unit has them, too.
// RUN: %cc %s -o %t --target=rv64imafdc && %cc --dump %t | FileCheck %s --check-prefix=SCALAR
#ifndef SIZE
#define SIZE 16
#endif
// CHECK: usual
// CHECK: sub-group 32
// CHECK: chosen
// CHECK: sub-group 16
// CHECK: whole
// CHECK: sub-group 128
// CHECK: part
// CHECK: sub-group 64
// SCALAR: sub-group 8
// SCALAR: whole
// SCALAR: sub-group 32
// SCALAR: part
// SCALAR: sub-group 16
// RUN: not %cc %s -DWRONG -o %t --vlen=512 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: a kernel requires "full" or "half" sub-groups
// RUN: not %cc %s -DMISPLACED -o %t --vlen=512 2>&1 | FileCheck %s --check-prefix=MISPLACED
// MISPLACED: error: qcom_reqd_sub_group_size is for kernels
kernel void usual(global int *a) { a[get_global_id(0)] = get_sub_group_local_id(); }
kernel void __attribute__((intel_reqd_sub_group_size(SIZE))) chosen(global int *a) {
    a[get_global_id(0)] = get_sub_group_local_id();
}
kernel void __attribute__((qcom_reqd_sub_group_size("full"))) whole(global int *a) {
    a[get_global_id(0)] = get_sub_group_local_id();
}
__attribute__((qcom_reqd_sub_group_size("half"))) kernel void part(global int *a) {
    a[get_global_id(0)] = get_sub_group_local_id();
}
#ifdef WRONG
__attribute__((qcom_reqd_sub_group_size("third"))) kernel void third(global int *a) { a[0] = 1; }
#endif
#ifdef MISPLACED
__attribute__((qcom_reqd_sub_group_size("full"))) void function(void);
#endif
