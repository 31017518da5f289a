// SPDX-License-Identifier: Apache-2.0
// With -g -cl-opt-disable each variable is in memory, and debuggers know where.
// RUN: %cc %s -cl-std=CL3.0 -g -cl-opt-disable --emit=spmd | FileCheck %s
// RUN: %cc %s -cl-std=CL3.0 -g -cl-opt-disable --emit=llvm | FileCheck --check-prefix=SHOWN %s
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

// Events and samplers are values that passes follow: debuggers read a copy of each.
// SHOWN-LABEL: define {{.*}} @copies(
// SHOWN: %[[EVENTS:e.shown[a-z0-9.]*]] = alloca [2 x ptr]
// SHOWN: #dbg_declare(ptr %[[EVENTS]],
// SHOWN: %[[EVENT:[a-z0-9.]+]] = getelementptr inbounds [2 x ptr], ptr %[[EVENTS]]
// SHOWN: store volatile ptr %{{.*}}, ptr %[[EVENT]]
kernel void copies(global int *in, global int *out) {
    local int values[64];
    event_t e[2];
    for (int n = 0; n < 2; ++n)
        e[n] = async_work_group_copy(values, in, 64, 0);
    wait_group_events(2, e);
    out[get_global_id(0)] = values[0];
}

// CHECK-LABEL: define {{.*}} @reads(
// CHECK: %[[GIVEN:given.addr.shown[a-z0-9.]*]] = alloca ptr
// CHECK: %[[OWN:own.shown[a-z0-9.]*]] = alloca ptr
// CHECK: store volatile ptr %{{.*}}, ptr %[[GIVEN]]
// CHECK: #dbg_declare(ptr %[[GIVEN]],
// CHECK: #dbg_declare(ptr %[[OWN]],
// CHECK: store volatile ptr inttoptr (i32 18 to ptr), ptr %[[OWN]]
kernel void reads(read_only image2d_t image, global float *out, sampler_t given) {
    const sampler_t own = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    out[0] = read_imagef(image, given, (int2)(0)).x + read_imagef(image, own, (int2)(0)).x;
}

// The ids of the work-item, in all functions that were inlined.
// CHECK: !DILocalVariable(name: "__global_id"
