// SPDX-License-Identifier: Apache-2.0
// Loads of neighbours stand where they are wanted: brought together, all of them would wait in
// registers for their turn.
// RUN: %cc %s --vlen=512 --emit=asm | FileCheck %s
// CHECK-LABEL: factors:
// CHECK: vfmul.vf
// CHECK-NOT: vfmacc.vf
// CHECK: flw
// CHECK: vfmacc.vf
// CHECK-NOT: vfadd.vf
// CHECK: flw
// CHECK: vfadd.vf
kernel void factors(global float *a, global const float *k, int n) {
    int x = get_global_id(0);
    float s = a[x];
    for (int i = 0; i < n; ++i)
        s = s * k[4 * i] + k[4 * i + 1] * s + k[4 * i + 2] + s * k[4 * i + 3];
    a[x] = s;
}

// Loads of a work-item's own variables don't wait for stores to others: they can't be the same.
// CHECK-LABEL: counts:
// CHECK: amoadd
// CHECK: lwu [[FIRST:.*]], -8([[NUMBERS:.*]])
// CHECK-NOT: sw
// CHECK: lwu {{.*}}, -4([[NUMBERS]])
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
counts(global const uchar *data, global uint *sums, uint n) {
    local uint bins[256];
    uint lid = get_local_id(0);
    bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[data[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sums[lid], bins[lid]);
}
