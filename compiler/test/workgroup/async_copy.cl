// SPDX-License-Identifier: Apache-2.0
// Every work-item copies its share; waiting is a boundary.
// RUN: %cc %s --emit=spmd -rvl-vectorize=off | FileCheck %s
// CHECK-LABEL: @staged(
// CHECK: load i64, ptr addrspace(1)
// CHECK: store i64 %{{.*}}, ptr addrspace(3)
// CHECK-NOT: call {{.*}}async_work_group_copy
kernel void staged(global const ulong *from, global ulong *to, local ulong *t, uint n) {
    event_t copied = async_work_group_copy(t, from, (size_t)n, (event_t)0);
    wait_group_events(1, &copied);
    to[get_global_id(0)] = t[n - 1 - get_local_id(0)];
}
