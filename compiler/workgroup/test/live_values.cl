// SPDX-License-Identifier: Apache-2.0
// Over a barrier, what work-items don't share lies in memory by local id; what is cheap is
// computed again.
// RUN: %cc %s --emit=spmd -rvl-vectorize=off | FileCheck %s
// CHECK-LABEL: @live(
// CHECK: getelementptr inbounds nuw i8, ptr %frame, i64 8
// CHECK: store i32 %{{.*}}, ptr %
// CHECK: load i32, ptr %
// CHECK-LABEL: @cheap(
// CHECK-NOT: getelementptr inbounds nuw i8, ptr %frame, i64 8
kernel void live(global uint *a, local uint *t) {
    uint mine = a[get_global_id(0)];
    t[get_local_id(0)] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = mine + t[0];
}
kernel void cheap(global uint *a, local uint *t) {
    uint mine = get_local_id(0) * 3;
    t[get_local_id(0)] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = mine + t[0];
}
