// SPDX-License-Identifier: Apache-2.0
// A sub-group is one vector: its functions are reductions, slides and gathers of registers.
// RUN: %cc %s --emit=asm -cl-std=CL3.0 --vlen=256 | FileCheck %s

// CHECK-LABEL: reduce:
// CHECK: vredsum.vs
kernel void reduce(global int *a) { a[get_global_id(0)] = sub_group_reduce_add(a[get_global_id(0)]); }

// CHECK-LABEL: scan:
// CHECK: vslideup.vi
// CHECK-NOT: vslideup.vi {{.*}}, 16
kernel __attribute__((intel_reqd_sub_group_size(16))) void scan(global int *a) {
    a[get_global_id(0)] = sub_group_scan_inclusive_add(a[get_global_id(0)]);
}

// CHECK-LABEL: shuffle:
// CHECK: vrgatherei16.vv
kernel void shuffle(global int *a, global uint *b) {
    a[get_global_id(0)] = sub_group_shuffle(a[get_global_id(0)], b[get_global_id(0)]);
}

// Lanes beyond the end of a group have zero for others, not what their register held before: it is
// loaded over zeros.
// CHECK-LABEL: partial:
// CHECK: tu, ma
// CHECK: vle32.v
// CHECK: ta, ma
// CHECK: vrgatherei16.vv
kernel void partial(global int *a) {
    a[get_global_id(0)] = sub_group_shuffle_down(a[get_global_id(0)], 1u);
}

// The first active lane's number comes from the mask.
// CHECK-LABEL: some:
// CHECK: vredmax.vs {{.*}}, v0.t
// CHECK: vfirst.m
kernel void some(global int *a) {
    size_t i = get_global_id(0);
    if (a[i] & 1)
        a[i] = sub_group_non_uniform_reduce_max(a[i]) + sub_group_broadcast_first(a[i]);
}

// Block reads and writes are neither gathers nor scatters.
// CHECK-LABEL: block:
// CHECK-NOT: v{{[ls]}}{{[uo]}}xei
// CHECK: vl{{(2r)?}}e32
// CHECK-NOT: v{{[ls]}}{{[uo]}}xei
// CHECK: vs{{(2r)?}}{{e32|.v}}
// CHECK-NOT: v{{[ls]}}{{[uo]}}xei
kernel void block(global uint *a, global uint *b) {
    uint at = get_sub_group_id() * get_max_sub_group_size();
    intel_sub_group_block_write(b + at, intel_sub_group_block_read(a + at));
}

// After a barrier the sub-group's number is computed again, for all of its lanes.
// CHECK-LABEL: number:
// CHECK: vfredusum.vs
// CHECK-NOT: vluxei32.v {{.*}}, v0.t
// CHECK: flw
// CHECK: vfmv.v.f
kernel void number(global float *a, local float *t) {
    t[get_sub_group_id()] = sub_group_reduce_add(a[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[get_sub_group_id()];
}
