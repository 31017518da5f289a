// SPDX-License-Identifier: Apache-2.0
// The vector lengths that values before machine code are made with.
// RUN: %cc %s -cl-std=CL3.0 --vlen=256 --emit=asm | FileCheck %s
// RUN: %cc %s -cl-std=CL3.0 --vlen=256 --emit=spmd | FileCheck %s --check-prefix=SPMD

// The length of another region, which one work-item runs, is not the strip's.
// CHECK-LABEL: of_two_memories:
// CHECK: vsetvli {{[a-z0-9]+}}, zero, e32
// CHECK-NEXT: vid.v
kernel void of_two_memories(global atomic_int *far, local atomic_int *near) {
    int item = get_local_id(0);
    if (item == 0)
        atomic_store_explicit(near, 0, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_int *counter = item % 2 == 0 ? (atomic_int *)near : far;
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0)
        atomic_store_explicit(&far[1],
                              atomic_load_explicit(near, memory_order_relaxed,
                                                   memory_scope_work_group),
                              memory_order_relaxed, memory_scope_work_group);
}
// An i1 as a number is extended for the active lanes; adding it is an addition under a mask.
// SPMD-LABEL: @truth(
// SPMD: @llvm.vp.zext.nxv{{.*}}i1
kernel void truth(global const uint *a, global uint *b) {
    size_t i = get_global_id(0);
    b[i] = (uint)(a[i] > 7) << (a[i] & 31);
}
// SPMD-LABEL: @counted_up(
// SPMD-NOT: @llvm.vp.zext.nxv{{.*}}i1
// SPMD: zext <vscale x {{[0-9]+}} x i1>
kernel void counted_up(global const uint *a, global uint *b) {
    size_t i = get_global_id(0);
    b[i] += a[i] > 7;
}
