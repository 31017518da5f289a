// SPDX-License-Identifier: Apache-2.0
// The backend makes a select between a masked load and another value part of the load. Lanes that the
// load doesn't read keep the other value then.
// RUN: %cc %s --emit=asm --vlen=512 | FileCheck %s
// CHECK: vsetvli {{.*}}, e32, m4, ta, mu
// CHECK-NOT: vmerge
// CHECK: vluxei32.v {{v[0-9]+}}, ({{.*}}), {{v[0-9]+}}, v0.t
// CHECK-NOT: vmerge
__attribute__((reqd_work_group_size(64, 1, 1))) kernel void odd(global uint *out, global uint *b) {
    local uint s[64];
    uint x = get_global_id(0), l = get_local_id(0);
    s[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint v = s[63 - l], r = 7;
    if (v & 1)
        r = atomic_add(b + (v & 31), 1u);
    out[x] = r;
}
