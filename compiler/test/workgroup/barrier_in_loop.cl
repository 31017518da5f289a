// SPDX-License-Identifier: Apache-2.0
// A barrier in a uniform loop: the region after it may be followed by itself, or by the end.
// RUN: %cc %s --emit=spmd -rvl-vectorize=off | FileCheck %s
// CHECK-LABEL: @sum(
// CHECK-NOT: @_Z7barrierj(
// CHECK: switch i32 %{{.*}}, label %group.end
// CHECK-NOT: call void @_Z7barrierj
kernel void sum(global uint *a, local uint *t, uint rounds) {
    uint lid = get_local_id(0);
    t[lid] = a[get_global_id(0)];
    for (uint i = 0; i < rounds; ++i) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i & 1)
            barrier(CLK_LOCAL_MEM_FENCE);
        t[lid] += t[(lid + i) % get_local_size(0)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[lid];
}
