// SPDX-License-Identifier: Apache-2.0
// A counter that all lanes count alike is a scalar, wherever each lane begins.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @rows(
// CHECK: [[LENGTH:%.*]] = call {{.*}} @llvm.smax
// CHECK: {{^[a-z0-9.]+}}:
// CHECK: [[COUNT:%.*]] = phi i32 [ 0, %
// CHECK-NOT: vmadd
// CHECK: icmp ugt <vscale
// CHECK: {{^}}}
kernel void rows(global const int *first, global const float *a, global float *out) {
    int i = get_global_id(0), end = first[i + 1];
    float sum = 0;
    for (int j = first[i]; j < end; ++j)
        sum += a[j];
    out[i] = sum;
}
// CHECK-LABEL: @until(
// CHECK: phi i32 [ 0, %
// CHECK: icmp ne <vscale
// CHECK: {{^}}}
kernel void until(global const uint *first, global const float *a, global float *out) {
    uint i = get_global_id(0), end = first[i + 1];
    float sum = 0;
    for (uint j = first[i]; j != end; ++j)
        sum += a[j];
    out[i] = sum;
}
// The count may skip a number, or wrap from the last one to the first.
// CHECK-LABEL: @in_twos(
// CHECK: phi <vscale x {{[0-9]+}} x i32>
// CHECK: {{^}}}
kernel void in_twos(global const uint *first, global const float *a, global float *out) {
    uint i = get_global_id(0), end = first[i + 1];
    float sum = 0;
    for (uint j = first[i]; j < end; j += 2)
        sum += a[j];
    out[i] = sum;
}
// Each lane leaves the loop with a value of its own.
// CHECK-LABEL: @found(
// CHECK: phi <vscale x {{[0-9]+}} x i32>
// CHECK: {{^}}}
kernel void found(global const int *first, global const int *a, global int *out) {
    int i = get_global_id(0), j = first[i];
    while (a[j] != i)
        ++j;
    out[i] = j;
}
// A bound that isn't known before the loop is compared with each lane's own counter.
// CHECK-LABEL: @reloaded(
// CHECK: phi <vscale x {{[0-9]+}} x i32>
// CHECK: {{^}}}
kernel void reloaded(global const int *first, global int *a) {
    int i = get_global_id(0);
    for (int j = first[i]; j < first[i + 1]; ++j)
        a[j] = 0;
}
// A loop's only exit needs no mask of the remaining lanes.
// CHECK-LABEL: @one_way(
// CHECK: icmp ugt <vscale
// CHECK-NOT: and <vscale
// CHECK: @llvm.vp.reduce.or
kernel void one_way(global const int *first, global const float *a, global float *out) {
    int i = get_global_id(0), end = first[i + 1];
    float sum = 0;
    for (int j = first[i]; j < end; ++j)
        sum += a[j];
    out[i] = sum;
}
// Behind a branch that no lane takes the trip count isn't known: each iteration tests for active
// lanes.
// CHECK-LABEL: @early(
// CHECK: icmp ugt <vscale
// CHECK: @llvm.vp.reduce.or
// CHECK-NOT: icmp ugt <vscale
// CHECK: {{^}}}
kernel void early(global const int *first, global const uint *a, global const uchar *b, uint u,
                  global uint *out) {
    int i = get_global_id(0), start = first[i] & 255, end = start + (first[i + 1] & 7);
    uint sum = 0;
    for (int j = start; j < end; ++j) {
        sum += a[j];
        if (u < 6)
            continue;
        sum ^= b[i];
    }
    out[i] = sum;
}
// A counter moves the base of a gather; the vector of indices is made before the loop.
// CHECK-LABEL: @embedding(
// CHECK: [[COUNT:%.*]] = phi i32 [ 0, %
// CHECK-NOT: add <vscale
// CHECK: [[INDEX:%.*]] = xor <vscale {{.*}}, splat (i32 -2147483648)
// CHECK: [[BASE:%.*]] = getelementptr i8, ptr addrspace(1) %{{.*}}, i64 %{{.*}}
// CHECK: call {{.*}} @llvm.riscv.vluxei{{.*}} ptr addrspace(1) [[BASE]], {{.*}} [[INDEX]],
// CHECK: {{^}}}
kernel void embedding(global const int *tokens, global const float *table, int size,
                      global float *out) {
    int i = get_global_id(0), token = tokens[i];
    float best = 0;
    for (int k = 0; k < size; ++k)
        best = fmax(best, table[token * size + k]);
    out[i] = best;
}
