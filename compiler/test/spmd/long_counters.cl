// SPDX-License-Identifier: Apache-2.0
// Indices of 64 bits where addresses have 32: their lower half is what counts, also in loops under
// a mask.
// RUN: %cc %s --target=rv32gc --emit=spmd -cl-std=CL3.0 | FileCheck %s

// CHECK-LABEL: define {{.*}} @over_rows(
// CHECK: trunc {{.*}}i64 %{{.*}} to i32
// CHECK: vp.load
kernel __attribute__((intel_reqd_sub_group_size(16))) void over_rows(global uint *out,
                                                                     global const uint *in,
                                                                     uint n) {
    uint x = get_global_id(0), a = 0;
    for (ulong i = x; i <= n; i += 16)
        a += in[i];
    out[x] = sub_group_shuffle(a, in[x] & 15);
}
