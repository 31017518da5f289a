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
// A value that a region leaves unchanged is not saved again. Saved bits take bytes.
// CHECK-LABEL: @kept(
// CHECK: zext i1 %{{.*}} to i8
// CHECK-NEXT: {{%.*}} = {{.*}}
// CHECK: store i8 %
// CHECK-NOT: store i8 %
kernel void kept(global uint *a, local uint *t) {
    uint l = get_local_id(0);
    bool odd = a[l] % 3 == 1;
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[63 - l] += t[l ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (odd)
        a[l] = t[l];
}
// Vectors of i1 take bytes, too.
// CHECK-LABEL: @last(
// CHECK: zext <4 x i1> %{{.*}} to <4 x i8>
// CHECK: store <4 x i8> %
// CHECK-NOT: <4 x i1>, ptr
kernel void last(global const int4 *a, global int4 *b, local int4 *t) {
    const int l = get_local_id(0);
    const int4 less = a[l] < b[l];
    t[l] = a[l] + b[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[l] = select(t[l ^ 1], t[l ^ 2], less);
}
