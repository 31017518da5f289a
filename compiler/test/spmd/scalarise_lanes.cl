// SPDX-License-Identifier: Apache-2.0
// Atomics have no vector form; in local memory they need not be atomic.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @count(
// CHECK: lane
// CHECK: atomicrmw add ptr addrspace(1)
// CHECK-LABEL: @count_local(
// CHECK-NOT: atomicrmw add ptr addrspace(3)
kernel void count(global uint *bins, global const uchar *a) {
    atomic_inc(&bins[a[get_global_id(0)]]);
}
kernel void count_local(global uint *bins, global const uchar *a) {
    local uint mine[256];
    atomic_inc(&mine[a[get_global_id(0)]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    bins[get_global_id(0)] = mine[get_local_id(0)];
}
// A trap, behind which nothing is reached, is no obstacle.
// CHECK-LABEL: @trap(
// CHECK: call void @llvm.trap()
kernel void trap(global int *a) {
    if (a[get_global_id(0)])
        __builtin_trap();
    a[get_global_id(0)] = 3;
}
// Inline assembly can't be vectorised either; it runs once if it is uniform.
// CHECK-LABEL: @assembly(
// CHECK-COUNT-1: call i32 asm "li $0, 3"
kernel void assembly(global int *a) {
    int three, sum;
    __asm__("li %0, 3" : "=r"(three));
    a[0] = three;
    __asm__("add %0, %1, %2" : "=r"(sum) : "r"(three), "r"(a[get_global_id(0)]));
    a[get_global_id(0) + 1] = sum;
}
// Under a mask only the active lanes run, one after the other; their results go back to their
// lanes.
// RUN: %cc %s --emit=spmd | FileCheck %s --check-prefix=PACKED
// PACKED-LABEL: @take(
// PACKED: [[LANES:%.*]] = call i64 @llvm.riscv.vcpop
// PACKED: [[COUNT:%.*]] = trunc nuw nsw i64 [[LANES]] to i32
// PACKED: [[PACKED:%.*]] = call {{.*}} @llvm.experimental.vector.compress
// PACKED: call void @llvm.vp.store{{.*}} [[PACKED]], {{.*}}, i32 [[COUNT]])
// PACKED: atomicrmw add ptr addrspace(1)
// PACKED: icmp {{eq|ne}} i32 %{{.*}}, [[COUNT]]
// PACKED: llvm.riscv.viota
// PACKED: llvm.riscv.vluxei.mask
kernel void take(global int *next, global const int *a, global int *out) {
    int i = get_global_id(0);
    if (a[i] > 0)
        out[i] = atomic_add(&next[a[i] & 3], a[i]);
}
// Whether a strong exchange took place is the same as whether the old value is the expected one: all
// lanes compare at once, and only the old values are stored.
// CHECK-LABEL: @insert(
// CHECK: cmpxchg ptr
// CHECK-NOT: zext i1
// CHECK: icmp eq <vscale
kernel void insert(global uint *table, global const uint *keys, global uint *is_new) {
    int i = get_global_id(0);
    is_new[i] = atomic_cmpxchg(&table[keys[i]], 0u, keys[i]) == 0;
}
// In a loop, nothing is packed or expanded as long as all lanes are active.
// PACKED-LABEL: @probe(
// PACKED: [[LANES:%.*]] = call i64 @llvm.riscv.vcpop
// PACKED: [[ALL:%.*]] = icmp eq i64 [[LANES]], %
// PACKED: br i1 [[ALL]], label %[[STORE:[^,]*]], label
// PACKED: {{^}}[[STORE]]:
// PACKED-NOT: compress
// PACKED: call void @llvm.vp.store
// PACKED: br label
// PACKED: compress
// PACKED: br i1 [[ALL]], label %[[LOAD:[^,]*]], label
// PACKED: {{^}}[[LOAD]]:
// PACKED-NOT: vluxei
// PACKED: call {{.*}} @llvm.vp.load
// PACKED: br label
// PACKED: llvm.riscv.vluxei.mask
kernel void probe(global uint *table, global const uint *keys, uint mask) {
    uint key = keys[get_global_id(0)], slot = key;
    while (atomic_cmpxchg(&table[slot & mask], 0u, key) != 0)
        ++slot;
}
