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
// SCALAR: sub-group 8
kernel void usual(global int *a) { a[get_global_id(0)] = get_sub_group_local_id(); }
kernel void __attribute__((intel_reqd_sub_group_size(SIZE))) chosen(global int *a) {
    a[get_global_id(0)] = get_sub_group_local_id();
}
