// SPDX-License-Identifier: Apache-2.0
// Atomics have no vector form; in local memory they need not be atomic.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @count(
// CHECK: lane
// CHECK: atomicrmw add ptr addrspace(1)
// CHECK-LABEL: @count_local(
// CHECK-NOT: atomicrmw add ptr addrspace(3)
kernel void count(global uint *bins, global const uchar *a) {
    atomic_inc(&bins[a[get_global_id(0)]]);
}
kernel void count_local(global uint *bins, global const uchar *a) {
    local uint mine[256];
    atomic_inc(&mine[a[get_global_id(0)]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    bins[get_global_id(0)] = mine[get_local_id(0)];
}
