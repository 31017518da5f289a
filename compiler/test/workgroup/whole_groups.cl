// SPDX-License-Identifier: Apache-2.0
// A kernel with a required size knows the size of its groups. Those that the end of the global size
// cuts short, from OpenCL C 2.0 on, have a function of their own, made with less effort.
// RUN: %cc %s --emit=spmd --vlen=128 -cl-std=CL3.0 | FileCheck %s
// RUN: %cc %s --emit=spmd -cl-std=CL3.0 -cl-uniform-work-group-size | \
// RUN:     FileCheck --check-prefix=UNIFORM %s
// CHECK-LABEL: @half_sums.uneven(
// CHECK: @llvm.umin.i32
// CHECK-LABEL: @half_sums(
// CHECK: {{^}}group.body:
// CHECK-NOT: @llvm.umin.i32
// CHECK: icmp ugt i32 %{{.*}}, 31
// CHECK-NEXT: br i1
// CHECK: call void @half_sums.uneven(
// CHECK-NOT: @llvm.umin.i32
// CHECK: {{^}}}
// UNIFORM-NOT: uneven
kernel __attribute__((reqd_work_group_size(32, 1, 1))) void half_sums(global float *a) {
    local float t[32];
    int i = get_local_id(0);
    t[i] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < 16)
        a[get_global_id(0)] = t[i] + t[i + 16];
}
// Each dimension that has a bound is tested.
// CHECK-LABEL: @box(
// CHECK-COUNT-3: icmp ugt i32
// CHECK: call void @box.uneven(
kernel __attribute__((reqd_work_group_size(8, 4, 2))) void box(global float *a) {
    a[get_local_linear_id()] += work_group_any(a[0] > 0);
}
// A flat kernel has no groups.
// CHECK-NOT: flat.uneven
kernel __attribute__((reqd_work_group_size(32, 1, 1))) void flat(global float *a) {
    a[get_global_id(0)] = 1;
}
// With unknown size, all groups are alike.
// CHECK-NOT: any_size.uneven
kernel void any_size(global float *a) {
    a[get_global_id(0)] = get_local_size(0);
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[get_group_id(0)] = 2;
}
