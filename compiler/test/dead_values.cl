// SPDX-License-Identifier: Apache-2.0
// A value that only uses itself is removed, with its loads: LLVM would compute their addresses for
// no lane and load for one.
// RUN: %cc %s --vlen=128 --emit=asm | FileCheck %s
// CHECK-LABEL: dead:
// CHECK-NOT: vluxei
// CHECK-NOT: vsetivli zero, 0,
// CHECK: {{^}}rivulet.note:
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void dead(global const ulong *in, global const int *from, global ulong *out, int n, int u) {
    int i = get_global_id(0), x = from[i];
    ulong a = in[i];
    for (int k = x; k < n; k += 7)
        switch (u & 3) {
        case 1:
            a ^= 5;
        case 2: {
            ulong sum = 0;
            for (int y = -(u & 3); y <= (u & 3); ++y)
                for (int z = -(u & 3); z <= (u & 3); ++z)
                    sum += in[clamp(x + y, 0, 63) * 16 + clamp(i + z, 0, 15)];
            a += sum;
            break;
        }
        default:;
        }
    a = in[i + 2];
    out[i] = a;
}
