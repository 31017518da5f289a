// SPDX-License-Identifier: Apache-2.0
// A guard ends the row earlier: no mask is left.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @guarded(
// CHECK: call i64 @llvm.smin.i64
// CHECK-NOT: icmp ult <vscale
// CHECK: @llvm.vp.store{{.*}}splat (i1 true)
// CHECK-NOT: icmp ult <vscale
kernel void guarded(global float *a, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    a[i] += 1.0f;
}
// A guard on a sum becomes the row's bound, too.
// CHECK-LABEL: @from(
// CHECK: sub nsw i64
// CHECK-NOT: <vscale x {{[0-9]+}} x i1> %
// CHECK: call void @llvm.vp.store{{.*}}splat (i1 true)
kernel void from(global float *a, int n, int first) {
    int x = get_global_id(0);
    if (x + first >= n)
        return;
    a[x] = 3;
}
// Of a difference as well: no version for the row's inner part.
// CHECK-LABEL: @less(
// CHECK-NOT: {{^}}version
// CHECK-NOT: <vscale x {{[0-9]+}} x i1> %
// CHECK: call void @llvm.vp.store{{.*}}splat (i1 true)
kernel void less(global float *a, int n, int first) {
    int x = get_global_id(0);
    if (x - first >= n)
        return;
    a[x] = 3;
}
// x taken from something falls from lane to lane: that is no bound.
// CHECK-LABEL: @taken_from(
// CHECK: icmp {{.*}}<vscale
kernel void taken_from(global float *a, int n, int first) {
    int x = get_global_id(0);
    if (first - x >= n)
        return;
    a[x] = 3;
}
// So does a guard on an id that the kernel computes itself.
// CHECK-LABEL: @of_group(
// CHECK: call i64 @llvm.smin.i64
// CHECK-NOT: <vscale x {{[0-9]+}} x i1> %
// CHECK: {{^}}}
kernel void of_group(global float *a, int n) {
    int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
    if (i < n)
        a[i] = 3;
}
// A guard before a barrier does so as well: work-items beyond the bound only go to the code behind
// it.
// CHECK-LABEL: @before_barrier(
// CHECK-NOT: <vscale x {{[0-9]+}} x i1> %
// CHECK: {{^}}}
kernel void before_barrier(global const float *a, global float *b, int n) {
    local float t[64];
    int l = get_local_id(0);
    if (l < n)
        t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[get_global_id(0)] = t[l ^ 1];
}
// A guard on a sum that may wrap splits the row in two: as the sum, and as the sum less 2^32.
// CHECK-LABEL: @may_wrap(
// CHECK: {{^}}part
// CHECK-NOT: <vscale x {{[0-9]+}} x i1> %
// CHECK: call void @llvm.vp.store{{.*}}splat (i1 true)
kernel void may_wrap(global float *a, int n, int k) {
    int j = get_global_id(0) + k + 1;
    if (j < n)
        a[j] = 3;
}
// A bound by a quotient is computed for the row even if no work-item computes it: never divided by
// zero.
// CHECK-LABEL: @quotient(
// CHECK: call i32 @llvm.umax.i32(i32 %{{.*}}, i32 1)
// CHECK-NEXT: udiv i32
// CHECK-NOT: <vscale x {{[0-9]+}} x i1> %
// CHECK: call void @llvm.vp.store{{.*}}splat (i1 true)
kernel void quotient(global float *a, uint width, uint stride) {
    uint x = get_global_id(0);
    if (x >= width / stride)
        return;
    a[x] = 3;
}
// The sum of 64 bits is far beyond all ids; the limit may be, too, and isn't clipped below the sum.
// CHECK-LABEL: @far_sum(
// CHECK-DAG: call i64 @llvm.smin.i64(i64 %{{.*}}, i64 1152921504606846976)
// CHECK-DAG: call i64 @llvm.smax.i64(i64 %{{.*}}, i64 -1152921504606846976)
// CHECK-NOT: <vscale x {{[0-9]+}} x i1> %
// CHECK: call void @llvm.vp.store{{.*}}splat (i1 true)
kernel void far_sum(global float *a, long n, int k) {
    int x = get_global_id(0);
    if ((long)x + (long)k * 60000 >= n)
        return;
    a[x] = 3;
}
// A row of one work-item has no loop over strips.
// RUN: %cc %s --emit=asm | FileCheck %s --check-prefix=ONE
// ONE-LABEL: first_one:
// ONE: vfredusum
// ONE-NOT: vset
// ONE: .size{{[ 	]+}}first_one
float __attribute__((overloadable, convergent)) work_group_reduce_add(float);
kernel void first_one(global const float *a, global float *sums) {
    float sum = work_group_reduce_add(a[get_global_id(0)]);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = sum;
}
