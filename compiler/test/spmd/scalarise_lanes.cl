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
// PACKED: llvm.experimental.vector.compress
// PACKED: [[COUNT:%.*]] = zext i{{[0-9]+}} %{{.*}} to i32
// PACKED: atomicrmw add ptr addrspace(1)
// PACKED: icmp {{eq|ne}} i32 %{{.*}}, [[COUNT]]
// PACKED: llvm.riscv.viota
// PACKED: llvm.riscv.vluxei.mask
kernel void take(global int *next, global const int *a, global int *out) {
    int i = get_global_id(0);
    if (a[i] > 0)
        out[i] = atomic_add(&next[a[i] & 3], a[i]);
}
