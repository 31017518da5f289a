// SPDX-License-Identifier: Apache-2.0
// The firmware's engine copies: one work-item of the group starts it, and waits for it.
// RUN: %cc %s --target=rv64gc_xrvlcopy --emit=spmd -rvl-vectorize=off | FileCheck %s
// RUN: %cc %s --target=rv64gcv_xrvlcopy --emit=asm | FileCheck --check-prefix=ASM %s
// RUN: %cc %s --target=rv64gcv --emit=asm | FileCheck --check-prefix=NONE %s
// The image needs a device with an engine.
// RUN: %cc %s --target=rv64gcv_xrvlcopy 2>&1 -o %t.rvk | FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: %cc --dump %t.rvk | FileCheck --check-prefix=NOTE %s
// QUIET-NOT: note:
// NOTE: xrvlcopy
// NONE-NOT: {{^[[:space:]]*}}ecall

// 8 bytes an element. Without an event the waits cost nothing.
// CHECK-LABEL: @staged(
// CHECK: call void asm sideeffect "ecall", "{x10},{x11},{x12},{x13},{x14},{x15},{x17},~{memory}"(i64 %{{.*}}, i64 %{{.*}}, i64 %[[N:.*]], i64 1, i64 %[[N]], i64 %[[N]], i32 2)
// CHECK-NOT: call void asm
// CHECK: call void asm sideeffect "ecall", "{x17},~{memory}"(i32 3)
// CHECK-NOT: call void asm
// ASM-LABEL: {{^}}staged
// ASM: ecall
kernel void staged(global const ulong *from, global ulong *to, local ulong *t, uint n) {
    event_t copied = async_work_group_copy(t, from, (size_t)n, (event_t)0);
    wait_group_events(1, &copied);
    to[get_global_id(0)] = t[n - 1 - get_local_id(0)];
}

// Vectors of three take the memory of four.
// CHECK-LABEL: @strided(
// CHECK: call void asm sideeffect "ecall", {{.*}}(i64 %{{.*}}, i64 %{{.*}}, i64 16, i64 %{{.*}}, i64 64, i64 16, i32 2)
// CHECK: call void asm sideeffect "ecall", "{x17},~{memory}"(i32 3)
// CHECK-NOT: call void asm
kernel void strided(local float3 *t, global float3 *to, uint n) {
    event_t copied = async_work_group_strided_copy(to, t, (size_t)n, (size_t)4, (event_t)0);
    wait_group_events(1, &copied);
    to[n] = 0;
}

// The next group gets the same local memory.
// CHECK-LABEL: @unwaited(
// CHECK: call void asm sideeffect "ecall", {{.*}}, i32 2)
// CHECK: call void asm sideeffect "ecall", "{x17},~{memory}"(i32 3)
// CHECK-NOT: call void asm
kernel void unwaited(local float *t, global float *to, uint n) {
    async_work_group_copy(to, t, (size_t)n, (event_t)0);
}

// Nothing is under way.
// CHECK-LABEL: @plain(
// CHECK-NOT: call void asm
// CHECK: ret void
kernel void plain(global uint *to) {
    barrier(CLK_LOCAL_MEM_FENCE);
    to[get_global_id(0)] = 0;
}
