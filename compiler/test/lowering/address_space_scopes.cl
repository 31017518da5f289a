// SPDX-License-Identifier: Apache-2.0
// Stores to one memory space leave what was read from another: a constant is read once, before the
// loop. From global memory, which the stores may change, it is read again and again.
// RUN: %cc %s --vlen=256 --emit=asm -DSPACE=constant | FileCheck %s
// RUN: %cc %s --vlen=256 --emit=asm -DSPACE=local | FileCheck %s
// RUN: %cc %s --vlen=256 --emit=asm -DSPACE=global | FileCheck %s --check-prefix=SAME
// CHECK-LABEL: scaled:
// CHECK: flw
// CHECK-NOT: flw
// CHECK: .Lfunc_end
// SAME-LABEL: scaled:
// SAME-COUNT-2: flw
// SAME: .Lfunc_end
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void
scaled(global float *out, const SPACE float *factor, uint n) {
    for (uint i = 0; i < n; ++i)
        out[i * 16 + get_local_id(0)] *= factor[0];
}
