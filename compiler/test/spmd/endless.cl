// SPDX-License-Identifier: Apache-2.0
// OpenCL C does not promise that a kernel's loops end: one that has no effect is not removed, so that
// the device's time limit applies. The loop over strips does not say otherwise.
// RUN: %cc %s --emit=asm | FileCheck %s
// RUN: %cc %s --emit=asm --vlen=512 | FileCheck %s

// CHECK-LABEL: spin:
// CHECK: [[SPIN:[.]LBB[0-9_]+]]:
// CHECK: {{b[a-z]+|j}} {{.*}}[[SPIN]]
// CHECK-LABEL: collatz:
kernel void spin(global const int *a) {
    int i = get_global_id(0);
    while (a[i] != 7) {
    }
}

// The loop between barriers decides whether the group comes to the second one.
// CHECK: {{divu|srl|vsrl}}
// CHECK-LABEL: {{^}}after:
kernel void collatz(global const ulong *a, global ulong *b, local ulong *all) {
    size_t l = get_local_id(0);
    all[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong x = all[l];
    while (x != 1)
        x = x & 1 ? 3 * x + 1 : x / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    b[get_global_id(0)] = all[l ^ 1];
}
kernel void after(global int *a) { *a = 1; }
