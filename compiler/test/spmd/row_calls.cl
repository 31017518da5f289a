// SPDX-License-Identifier: Apache-2.0
// Functions that stay functions are called for all lanes at once: arguments and results go through
// memory, those of active lanes side by side. One letter for each parameter says how it is passed.
// RUN: %cc %s --emit=spmd --vlen=512 -rvl-inline-budget=0 | FileCheck %s
// RUN: %cc %s --emit=spmd --vlen=512 | FileCheck --check-prefix=INLINED %s
// RUN: %cc %s -o %t --target=rv32imafdc_zve32f --vlen=128 -rvl-inline-budget=0
// RUN: %cc %s -o %t --target=rv64gc -rvl-inline-budget=0
uint mixed(uint a, uint b) {
    for (uint i = 0; i < (a & 3); ++i)
        a = a * 3 + b;
    return a ^ b;
}
void stored(global uint *p, uint value) { *p += mixed(value, 3); }

// CHECK: define internal void @mixed.lanes.vu(i32 %0, ptr noalias %1, i32 %2, ptr noalias %3)
// CHECK: define internal void @stored.lanes.ov(i32 %0, ptr addrspace(1) %1, ptr noalias %2, ptr noalias %3)
// CHECK: call void @mixed.lanes.vu(
// CHECK-NOT: @stored(
// CHECK: define {{.*}} @calls(
// A lane each, the second argument the same for all.
// CHECK: call void @mixed.lanes.vu(i32 %{{.*}}, i32 7, ptr
// Once for all lanes.
// CHECK: call i32 @mixed(i32 9, i32 9)
// Active lanes only.
// CHECK: @llvm.experimental.vector.compress
// CHECK: call void @stored.lanes.ov(
// CHECK-NOT: call void @mixed
// INLINED-NOT: call {{.*}} @mixed
kernel void calls(global uint *out, global const uint *in) {
    uint x = in[get_global_id(0)];
    uint y = mixed(x, 7);
    y += mixed(9, 9);
    if (x & 1)
        stored(out + get_global_id(0), y);
}
