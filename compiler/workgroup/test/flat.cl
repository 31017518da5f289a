// SPDX-License-Identifier: Apache-2.0
// A kernel that never asks for its group runs over all work-items of a chunk at once.
// RUN: %cc %s --emit=spmd -rvl-vectorize=off | FileCheck %s
// CHECK-LABEL: @scale(ptr {{.*}}%record, ptr {{.*}}%words, ptr {{.*}}%frame)
// CHECK: atomicrmw add ptr %words
// Rows that are alike need no loops of their own, whatever they differ in.
// CHECK-NOT: {{^}}{{[yz]}}:
// CHECK: {{^}}run:
// CHECK: %row = phi i32
// CHECK: load volatile i32
// CHECK-NOT: {{^}}{{[yz]}}:
kernel void scale(global float *a, float by) { a[get_global_id(0)] *= by; }

// Whole rows of groups are taken at once, as far as the chunk has some.
// CHECK-LABEL: @scale_rows(
// CHECK: udiv i32 %group, [[GROUPS:%.*]]
// CHECK: [[LEFT:%.*]] = udiv i32 %{{.*}}, [[GROUPS]]
// CHECK-NEXT: [[WHOLE:%.*]] = call i32 @llvm.umin.i32(i32 %{{.*}}, i32 [[LEFT]])
// CHECK-NEXT: icmp eq i32 %{{.*}}, [[GROUPS]]
// CHECK: select i1 %{{.*}}, i32 [[WHOLE]], i32 1
// CHECK: {{^}}z:
// CHECK: {{^}}y:
kernel void scale_rows(global float *a, float by, uint pitch) {
    a[get_global_id(1) * pitch + get_global_id(0)] *= by;
}

// Nor do rows of a group that are alike have two loops.
// CHECK-LABEL: @rows_of_group(
// CHECK-NOT: {{^}}z:
// CHECK-COUNT-2: {{^}}y{{[0-9]*}}:
kernel void rows_of_group(global float *a, local float *b) {
    uint l = get_local_id(0);
    b[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = b[l ^ 1];
}
