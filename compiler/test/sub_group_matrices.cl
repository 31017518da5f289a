// SPDX-License-Identifier: Apache-2.0
// Products of matrices by sub-groups use what the vector unit has: multiply-adds that widen, and dot
// products of bytes. No target lacks them.
// RUN: %cc %s --vlen=256 --target=rv64gcv_zvfh_zfbfmin_zvfbfmin_zvfbfwma --emit=asm -o - | FileCheck %s
// RUN: %cc %s --vlen=512 --target=rv64gcv_zvqdotq --emit=asm -o - | FileCheck %s --check-prefix=DOT
// RUN: %cc %s -o %t --vlen=128
// RUN: %cc %s -o %t --vlen=128 --target=rv64gcv
// RUN: %cc %s -o %t --vlen=128 --target=rv32imafc_zve32f
// RUN: %cc %s -o %t --target=rv64gc
// RUN: %cc %s -o %t --target=host
#ifndef cl_rivulet_subgroup_matrix_multiply_accumulate
#error "cl_rivulet_subgroup_matrix_multiply_accumulate"
#endif
// CHECK-LABEL: {{^}}halves:
// CHECK: vfwmacc.vf
__attribute__((intel_reqd_sub_group_size(8)))
kernel void halves(global int *a, global int8 *b, global float *c) {
    size_t i = get_global_id(0);
    c[i] = intel_sub_group_f16_f16_matrix_mad_k16(a[i], b[i], c[i]);
}
// CHECK-LABEL: {{^}}bfloats:
// CHECK: vfwmaccbf16.vf
__attribute__((intel_reqd_sub_group_size(16)))
kernel void bfloats(global short *a, global int8 *b, global float *c) {
    size_t i = get_global_id(0);
    c[i] = intel_sub_group_bf16_bf16_matrix_mad_k16(a[i], b[i], c[i]);
}
// DOT-LABEL: {{^}}bytes:
// DOT: vqdot
__attribute__((intel_reqd_sub_group_size(8)))
kernel void bytes(global int *a, global int8 *b, global int *c) {
    size_t i = get_global_id(0);
    c[i] = intel_sub_group_i8_i8_matrix_mad_k32(a[i], b[i], c[i]);
}
