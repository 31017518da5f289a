// SPDX-License-Identifier: Apache-2.0
// Indices of 32 bits that may wrap: from one active lane to the next, or up to a lane 0 that isn't.
// RUN: %cc %s --emit=spmd | FileCheck %s
// Under a mask each lane has its own.
// CHECK-LABEL: @known_factor(
// CHECK: call void @llvm.riscv.vsoxei
kernel void known_factor(global int *a) {
    uint x = get_global_id(0);
    if ((x & 1) == 0)
        a[x * 0x80000001u] = 3;
}
// CHECK-LABEL: @factor(
// CHECK-NOT: call {{.*}}strided.store
// CHECK: call void @llvm.riscv.vsoxei
kernel void factor(global int *a, uint n) {
    uint x = get_global_id(0);
    if ((x & 1) == 0)
        a[x * n] = 3;
}
// If both neighbours run they lie in one buffer, so the factor is their stride.
// CHECK-LABEL: @all_run(
// CHECK: call void @llvm.experimental.vp.strided.store
// CHECK-NOT: call {{.*}}{{scatter|vsoxei}}
kernel void all_run(global int *a, uint n) {
    uint x = get_global_id(0);
    a[x * n] = 3;
}
// CHECK-LABEL: @first_run(
// CHECK: call void @llvm.experimental.vp.strided.store
// CHECK-NOT: call {{.*}}{{scatter|vsoxei}}
kernel void first_run(global int *a, uint n, uint end) {
    uint x = get_global_id(0);
    if (x < end)
        a[x * n] = 3;
}
// The factors of a factor say nothing about the stride.
// CHECK-LABEL: @two_factors(
// CHECK-NOT: call {{.*}}strided.store
// CHECK: call void @llvm.riscv.vsoxei
kernel void two_factors(global int *a, uint n) {
    uint x = get_global_id(0);
    a[x * 3u * n] = 3;
}
// Signed indices don't wrap in active lanes; lane 0's address is computed in 64 bits.
// CHECK-LABEL: @is_signed(
// CHECK: mul i64 %
// CHECK: call void @llvm.experimental.vp.strided.store
kernel void is_signed(global int *a, int n) {
    int x = get_global_id(0);
    if ((x & 63) == 8)
        a[(x - 8) * n] = 3;
}
// An index of elements larger than a byte: lane 0's may be below zero.
// CHECK-LABEL: @one_index(
// CHECK: [[AT:%.*]] = add i32 %{{.*}}, -5
// CHECK: sext i32 [[AT]] to i64
// CHECK: call void @llvm.vp.store
kernel void one_index(global int *a, global ulong *b) {
    uint x = get_global_id(0);
    ulong at = x - 5;
    b[x] = at;
    if (x >= 5 && (x & 1))
        a[at] = 3;
}
// Otherwise the offset has 32 bits, signed: lane 0 is before the active lanes, or behind them where
// addresses descend.
// CHECK-LABEL: @offset(
// CHECK: [[AT:%.*]] = sext i32 %add{{.*}} to i64
// CHECK: getelementptr i8, ptr addrspace(1) %{{.*}}, i64 [[AT]]
// CHECK: call void @llvm.vp.store
kernel void offset(global uchar *a, uint n) {
    uint x = get_global_id(0);
    if (x & 1)
        a[x + n] = 3;
}
// CHECK-LABEL: @falling_offset(
// CHECK: [[NEAR:%.*]] = add i32 %sub{{.*}}, -[[BACK:[0-9]+]]
// CHECK: [[AT:%.*]] = sext i32 [[NEAR]] to i64
// CHECK: [[PLACE:%.*]] = getelementptr i8, ptr addrspace(1) %{{.*}}, i64 [[AT]]
// CHECK: getelementptr i8, ptr addrspace(1) [[PLACE]], i64 [[BACK]]
// CHECK: call void @llvm.experimental.vp.strided.store
kernel void falling_offset(global uchar *a, uint n) {
    uint x = get_global_id(0);
    if (x & 1)
        a[n - x] = 3;
}
// In active lanes x is even, so that x + 1 is x | 1; lane 0's is x + 1.
// CHECK-LABEL: @no_common_bits(
// CHECK-NOT: or {{.*}}i{{32|64}} {{.*}}, 1{{$}}
// CHECK: call void @llvm.vp.store
kernel void no_common_bits(global int *a) {
    uint x = get_global_id(0);
    if ((x & 1) == 0)
        a[x + 1] = 3;
}
// A lane's index that is used as a number, not as an address, is computed in all bits.
// CHECK-LABEL: @number(
// CHECK: zext <vscale x {{[0-9]+}} x i32> %{{.*}} to <vscale x {{[0-9]+}} x i64>
kernel void number(global ulong *a, uint n) {
    uint x = get_global_id(0);
    if (x < 2)
        a[x] = x * n;
}
// The condition says that the index is not below zero: neighbours share an address.
// CHECK-LABEL: @above_zero(
// CHECK: [[AT:%.*]] = getelementptr i8, ptr addrspace(1) %{{.*}}, i64 -5
// CHECK: call {{.*}} @llvm.vp.load{{.*}} [[AT]],
kernel void above_zero(global uchar *a) {
    uint x = get_global_id(0);
    if ((a[x] & 1) != 0 && x >= 5)
        a[x] = a[x - 5];
}
// A counter that doesn't wrap in active lanes doesn't in lane 0 either: it is between its own start and
// the counter of an active lane.
// CHECK-LABEL: @counter(
// CHECK: %live{{.*}} = phi
// CHECK: [[J:%.*]] = sext i32 %j{{.*}} to i64
// CHECK: shl {{.*}}i64 {{.*}}[[J]]
// CHECK: call {{.*}} @llvm.vp.load
kernel void counter(global float *a, int m) {
    int j = get_global_id(0);
    while (a[j + m] > 0)
        ++j;
    a[j] = 1;
}
