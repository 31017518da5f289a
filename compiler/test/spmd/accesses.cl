// SPDX-License-Identifier: Apache-2.0
// The form of an access: contiguous, strided, or by index, with indices of 32 bits.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @contiguous(
// CHECK-NOT: gather
// CHECK: call <vscale x [[N:[0-9]+]] x i32> @llvm.vp.load
// CHECK: call void @llvm.vp.store
kernel void contiguous(global const uint *a, global uint *b) {
    uint i = get_global_id(0);
    b[i] = a[i + 1];
}
// CHECK-LABEL: @strided(
// CHECK: llvm.experimental.vp.strided.load.{{.*}}i64 12,
// CHECK: llvm.experimental.vp.strided.store
kernel void strided(global const float *a, global float *b, uint pitch) {
    uint i = get_global_id(0);
    b[i * pitch] = a[i * 3];
}
// CHECK-LABEL: @indexed(
// CHECK: call <vscale x [[N:[0-9]+]] x i32> @llvm.riscv.vluxei{{.*}}(<vscale x [[N]] x i32> poison, ptr addrspace(1) {{.*}}, <vscale x [[N]] x i32> %
kernel void indexed(global const uint *a, global const uint *at, global uint *b) {
    uint i = get_global_id(0);
    b[i] = a[at[i]];
}
// An int as index may be below zero, but not in lanes that run.
// CHECK-LABEL: @neighbours(
// CHECK-NOT: gather
// CHECK-COUNT-3: llvm.vp.load
// CHECK-NOT: gather
kernel void neighbours(global const float *a, global float *b) {
    int i = get_global_id(0);
    b[i] = a[i - 1] + a[i] + a[i + 1];
}
// Unaligned accesses are scalarised.
// CHECK-LABEL: @packed(
// CHECK: lane{{.*}}:
// CHECK: load i32, ptr addrspace(1) %{{.*}}, align 1
struct __attribute__((packed)) pair {
    uchar first;
    uint second;
};
kernel void packed(global const struct pair *a, global uint *b) {
    int x = get_global_id(0);
    b[x] = a[x].second;
}
// If all lanes store the same value to one address, that is one scalar store.
// CHECK-LABEL: @same(
// CHECK-NOT: scatter
// CHECK: store i32 5, ptr addrspace(1)
// CHECK-LABEL: @last(
// CHECK: @llvm.vp.scatter
kernel void same(global int *a, global int *b) {
    b[get_global_id(0)] = 3;
    a[0] = 5;
}
kernel void last(global int *a, global const int *b) { a[0] = b[get_global_id(0)]; }
// Indices of 32 bits into one buffer are shifted under the strip's VL.
// CHECK-LABEL: @by_index(
// CHECK: call <vscale x [[N:[0-9]+]] x i32> @llvm.vp.shl
// CHECK: @llvm.riscv.vluxei{{.*}}, <vscale x [[N]] x i32> %
kernel void by_index(global const float *a, global const int *at, global float *b, int from) {
    int x = get_global_id(0);
    b[x] = a[at[x] + from];
}
// With a pointer into the middle of shared memory, an int may lead to an address before it.
// CHECK-LABEL: @before(
// CHECK: [[AT:%.*]] = xor <vscale x [[N:[0-9]+]] x i32> %{{.*}}, splat (i32 -2147483648)
// CHECK: [[BASE:%.*]] = getelementptr i8, ptr addrspace(1) %{{.*}}, i64 -2147483648
// CHECK: @llvm.riscv.vluxei{{.*}}ptr addrspace(1) {{.*}}[[BASE]], <vscale x [[N]] x i32> [[AT]],
// CHECK-LABEL: @behind(
// CHECK-NOT: splat (i32 -2147483648)
// CHECK: @llvm.riscv.vluxei
kernel void before(global const uint *a, global const int *at, global uint *b) {
    int i = get_global_id(0);
    b[i] = a[at[i]];
}
kernel void behind(global const uint *a, global const int *at, global uint *b) {
    int i = get_global_id(0);
    b[i] = a[max(at[i], 0)];
}
// The index's uniform addend includes the offset of 2^31.
// CHECK-LABEL: @from_row(
// CHECK: [[START:%.*]] = xor i32 %{{.*}}, -2147483648
// CHECK: [[SPLAT:%.*]] = insertelement <vscale x [[N:[0-9]+]] x i32> poison, i32 [[START]],
// CHECK: [[ALL:%.*]] = shufflevector {{.*}} [[SPLAT]],
// CHECK: [[AT:%.*]] = add <vscale x [[N]] x i32> {{.*}}[[ALL]]
// CHECK: @llvm.riscv.vluxei{{.*}}, <vscale x [[N]] x i32> [[AT]],
kernel void from_row(global const uint *a, global const int *at, global uint *b, int row) {
    int i = get_global_id(0);
    b[i] = a[row + at[i]];
}
// In a loop, the instruction that scales the index adds the offset.
// CHECK-LABEL: @in_loop(
// CHECK: [[AT:%.*]] = call {{.*}} @llvm.riscv.vmadd{{.*}}, i32 8, {{.*}} splat (i32 -2147483648)
// CHECK: [[WIDE:%.*]] = zext {{.*}} [[AT]]
// CHECK: [[PLACES:%.*]] = getelementptr i8, {{.*}} [[WIDE]]
// CHECK: @llvm.vp.gather{{.*}} [[PLACES]],
kernel void in_loop(global const double *a, global const int *at, global const int *row,
                    global double *b) {
    int i = get_global_id(0);
    double sum = 0;
    for (int k = row[i]; k < row[i + 1]; ++k)
        sum += a[at[k]];
    b[i] = sum;
}
// Neighbours that share elements are loads of their own; fields at indices are one segment load.
// CHECK-LABEL: @shared(
// CHECK-COUNT-2: strided.load
// CHECK-LABEL: @fields(
// CHECK: @llvm.riscv.vluxseg2.mask
kernel void shared(global const float *a, global float *b) {
    int x = get_global_id(0);
    b[x] = a[2 * x] + a[2 * x + 1] + a[2 * x + 2];
}
struct bytes {
    uchar x, y, z;
};
kernel void fields(global const struct bytes *a, global const int *at, global uchar *b) {
    int x = get_global_id(0);
    struct bytes v = a[at[x]];
    b[x] = v.x * v.y;
}
