// SPDX-License-Identifier: Apache-2.0
// A loop that the last lanes leave first needs no mask: the vector gets shorter.
// RUN: %cc %s -cl-std=CL3.0 --emit=spmd | FileCheck %s
// CHECK-LABEL: @grid_stride(
// CHECK: %length{{.*}} = phi i32
// CHECK: call i32 @llvm.umin.i32
// CHECK: @llvm.vp.load{{.*}}splat (i1 true)
// CHECK-NOT: vp.reduce.or
// CHECK: @llvm.vp.merge{{.*}}splat (i1 true)
// CHECK-LABEL: @may_wrap(
// CHECK: @llvm.vp.reduce.or
kernel void grid_stride(global uint *sums, global const uint *a, uint n) {
    uint sum = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum += a[i];
    sums[get_global_id(0)] = sum;
}
kernel void may_wrap(global uint *sums, uint n, uint step) {
    uint sum = 0;
    for (uint i = get_global_id(0); i < n; i += step)
        sum += i;
    sums[get_global_id(0)] = sum;
}
// An exit that all remaining lanes take leaves the exit values of the others alone.
// CHECK-LABEL: @stopped(
// CHECK: leave{{.*}}:
// CHECK-NEXT: @llvm.vp.merge
kernel void stopped(global uint *sums, global const uint *a, uint n) {
    uint sum = 0, last = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        sum += a[i];
        if (a[n] == 7) {
            last = sum * 3;
            break;
        }
    }
    sums[get_global_id(0)] = sum + last;
}
// Signed counters that don't wrap, or that are indices, shrink VL, too;
// spmd/transform/border_peeling.cpp tests limits before.
// CHECK-LABEL: @stepped(
// CHECK: %length{{.*}} = phi i32
// CHECK-NOT: vp.reduce.or
// CHECK: {{^}}}
kernel void stepped(global int *sums, int n) {
    int sum = 0;
    for (int i = get_global_id(0); i < n; i += 16)
        sum ^= i * i;
    sums[get_global_id(0)] = sum;
}
// CHECK-LABEL: @signed_stride(
// CHECK: %length{{.*}} = phi i32
// CHECK-NOT: vp.reduce.or
// CHECK: {{^}}}
kernel void signed_stride(global int *sums, global const int *a, int n) {
    int sum = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += a[i];
    sums[get_global_id(0)] = sum;
}
// So do ids and sizes of the NDRange that a kernel computes itself.
// CHECK-LABEL: @of_groups(
// CHECK: %length{{.*}} = phi i32
// CHECK-NOT: vp.reduce.or
// CHECK: {{^}}}
kernel void of_groups(global float *a, int n) {
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    for (; i < n; i += get_num_groups(0) * get_local_size(0))
        a[i] *= 2;
}
// So does a lane's number in its sub-group.
// CHECK-LABEL: @sub_group_stride(
// CHECK: %length{{.*}} = phi i32
// CHECK-NOT: vp.reduce.or
// CHECK: {{^}}}
kernel void sub_group_stride(global float *sums, global const float *a, int n) {
    float sum = 0;
    for (int i = get_sub_group_local_id(); i < n; i += get_max_sub_group_size())
        sum += a[i];
    sums[get_global_id(0)] = sub_group_reduce_add(sum);
}
