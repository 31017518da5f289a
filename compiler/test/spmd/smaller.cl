// SPDX-License-Identifier: Apache-2.0
// A difference that is taken back where it wraps is the smaller one of both.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @modulo(
// CHECK: call <vscale x {{[0-9]+}} x i32> @llvm.umin
// CHECK-NOT: icmp {{.*}}<vscale
// CHECK: {{^}}}
kernel void modulo(global uint *a, global const uint *b, uint n) {
    uint i = get_global_id(0), x = a[i] + b[i];
    a[i] = x >= n ? x - n : x;
}
