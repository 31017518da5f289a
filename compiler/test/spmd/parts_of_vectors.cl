// SPDX-License-Identifier: Apache-2.0
// Vectors of a sub-group may take sixteen registers; an instruction takes eight.
// RUN: %cc %s --emit=asm -cl-std=CL3.0 --vlen=128 | FileCheck %s

// CHECK-LABEL: product:
// CHECK-COUNT-2: vmulhu.vv
kernel __attribute__((intel_reqd_sub_group_size(32))) void product(global ulong *a) {
    size_t i = get_global_id(0);
    a[i] = mul_hi(a[i], a[i] + sub_group_reduce_add(a[i]));
}

// CHECK-LABEL: upwards:
// CHECK-COUNT-2: vfadd.v{{[vf]}}
#pragma OPENCL SELECT_ROUNDING_MODE rtp
kernel __attribute__((intel_reqd_sub_group_size(32))) void upwards(global double *a, double b) {
    size_t i = get_global_id(0);
    a[i] = sub_group_shuffle_xor(a[i], 1) + b;
}
