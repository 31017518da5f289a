// SPDX-License-Identifier: Apache-2.0
// CL_KERNEL_ATTRIBUTES, required sizes and hints.
// RUN: %cc %s -o %t && %cc --dump %t | FileCheck %s

// CHECK: kernel required at
// CHECK: attributes reqd_work_group_size(8,4,2) vec_type_hint(float4)
__attribute__((vec_type_hint(float4))) __attribute__((reqd_work_group_size(8, 4, 2)))
kernel void required(global int *a) {
    a[0] = 0;
}

// CHECK: kernel hinted at
// CHECK: attributes work_group_size_hint(64,1,1) vec_type_hint(uint)
__attribute__((work_group_size_hint(64, 1, 1))) __attribute__((vec_type_hint(uint)))
kernel void hinted(global int *a) {
    a[0] = 0;
}
