// SPDX-License-Identifier: Apache-2.0
// From row to row of a group addresses go on by a step: nothing is multiplied in between, although
// they begin with a group's id, which is a quotient. Rows side by side are a distance away from one
// of them, and need no registers of their own for more than that.
// RUN: %cc %s --vlen=512 --emit=asm | FileCheck %s
// CHECK-LABEL: tile_of:
// CHECK-NOT: sd{{[[:space:]]}}s6,
// CHECK: vl2re32.v
// CHECK-NOT: {{^[[:space:]]mul}}
// CHECK: vl2re32.v
// CHECK-NOT: {{^[[:space:]]mul}}
// CHECK: bne
kernel __attribute__((reqd_work_group_size(32, 8, 1)))
void tile_of(global const float *in, local float *tile, int pitch) {
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_group_id(0) * 32 + lx;
    int y = get_group_id(1) * 32 + ly;
    for (int j = 0; j < 32; j += 8)
        tile[(ly + j) * 33 + lx] = in[(y + j) * pitch + x];
}
// Sizes are above zero: each loop over a group runs at least once, and needs no test before.
// RUN: %cc %s --vlen=512 --emit=spmd | FileCheck %s --check-prefix=SIZES
// SIZES-LABEL: @turned(
// SIZES-COUNT-3: load i32, {{.*}}!range ![[POSITIVE:[0-9]+]]
// SIZES: ![[POSITIVE]] = !{i32 1, i32 -2147483648}
kernel void turned(global int *a, local int *t) {
    int l = get_local_id(0), last = get_local_size(0) - 1;
    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[last - l];
}
