// SPDX-License-Identifier: Apache-2.0
// A vector that was stored is not loaded again.
// RUN: %cc %s --vlen=256 --emit=asm | FileCheck %s

// Work-items of one strip load what each has stored itself, with fewer lanes in each step.
// CHECK-LABEL: tree:
// CHECK: amoadd.w
// CHECK-COUNT-4: v{{l8re32|le32}}.v
// CHECK-NOT: v{{l8re32|le32}}.v
// CHECK: .cfi_endproc
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void tree(global const float *in, global float *partial) {
    local float tmp[64];
    uint l = get_local_id(0);
    tmp[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 32; s > 4; s >>= 1) {
        if (l < s)
            tmp[l] += tmp[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        partial[get_group_id(0)] = tmp[0] + tmp[1];
}

// Volatile memory may be written, or read, in the meantime.
// CHECK-LABEL: shared:
// CHECK: amoadd.w
// CHECK-COUNT-2: vl8re32.v
// CHECK: .cfi_endproc
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void shared(global const uint *in, global uint *out) {
    volatile local uint tmp[64];
    uint l = get_local_id(0);
    tmp[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[l];
}

// Another work-item's store overlaps.
// CHECK-LABEL: overlapping:
// CHECK: amoadd.w
// CHECK-COUNT-2: vs{{8r|e32}}.v
// CHECK: vl8re32.v
// CHECK: .cfi_endproc
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void overlapping(global const uint *in, global uint *out, uint far) {
    local uint tmp[256];
    uint l = get_local_id(0);
    tmp[l] = far + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[l + 63] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[l];
}

// Another work-item's store doesn't overlap.
// CHECK-LABEL: apart:
// CHECK: amoadd.w
// CHECK-NOT: vl8re32.v
// CHECK: .cfi_endproc
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void apart(global const uint *in, global uint *out, uint far) {
    local uint tmp[256];
    uint l = get_local_id(0);
    tmp[l] = far + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[l + 64] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[l];
}

// Only some lanes stored.
// CHECK-LABEL: some:
// CHECK: amoadd.w
// CHECK: vs{{8r|e32}}.v
// CHECK: vse32.v {{.*}}, v0.t
// CHECK: vl8re32.v
// CHECK: .cfi_endproc
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void some(global const uint *in, global uint *out) {
    local uint tmp[64];
    uint i = get_global_id(0), l = get_local_id(0);
    tmp[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[i] > 7)
        tmp[l] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tmp[l];
}
