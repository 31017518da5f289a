// SPDX-License-Identifier: Apache-2.0
// With -g -cl-opt-disable each variable is in memory, and debuggers know where.
// RUN: %cc %s -cl-std=CL3.0 -g -cl-opt-disable --emit=spmd | FileCheck %s
// Without one of the options variables are values.
// RUN: %cc %s -cl-std=CL3.0 -g --emit=spmd | FileCheck --check-prefix=VALUES %s
// RUN: %cc %s -cl-std=CL3.0 -cl-opt-disable --emit=spmd | FileCheck --check-prefix=VALUES %s
// VALUES-NOT: dbg_declare

// CHECK-LABEL: define {{.*}} @sums(
// CHECK: %[[SUM:sum[a-z0-9.]*]] = alloca i32
// CHECK: #dbg_declare(ptr %[[SUM]],
// CHECK: store volatile i32 0, ptr %[[SUM]]
kernel void sums(global int *out, int n) {
    int sum = 0;
    for (int k = 0; k < n; ++k) {
        if (k == 3)
            continue;
        sum += k;
    }
    out[get_global_id(0)] = sum;
}

// Behind a barrier a variable is in the memory of the group: its slot has the address.
// CHECK-LABEL: define {{.*}} @exchange(
// CHECK: %[[SLOT:debug.saved.[a-z0-9.]*]] = alloca ptr
// CHECK: store volatile ptr %{{[0-9]+}}, ptr %[[SLOT]]
// CHECK: #dbg_declare(ptr %[[SLOT]], {{.*}}, !DIExpression(DW_OP_deref)
kernel void exchange(global int *out) {
    local int values[64];
    int mine = out[get_global_id(0)];
    values[get_local_id(0)] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = mine + values[0];
}

// The work-items of a sub-group are lanes: no variable of theirs is at one place.
// CHECK-LABEL: define {{.*}} @lanes(
// CHECK-NOT: dbg_declare
// CHECK: ret void
kernel void lanes(global int *out) {
    int mine = out[get_global_id(0)];
    out[get_global_id(0)] = sub_group_reduce_add(mine);
}

// A constant has an address though its value is known, and a variable of the program has the value
// that was written last.
// CHECK-LABEL: define {{.*}} @counts(
// CHECK: store volatile i32 5, ptr addrspace(1) @counter
// CHECK: store volatile i32 6, ptr addrspace(1) @counter
constant int limit = 5;
global int counter;
kernel void counts() {
    counter = limit;
    counter = 6;
}

// The ids of the work-item, in all functions that were inlined.
// CHECK: !DILocalVariable(name: "__global_id"
