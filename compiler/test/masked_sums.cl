// SPDX-License-Identifier: Apache-2.0
// Sums under different masks each stay under their own: a value that is loaded where lanes store is
// added there, too.
// RUN: %cc %s -cl-std=CL3.0 --vlen 128 --emit=asm -o - | FileCheck %s
// CHECK: vse32.v {{v[0-9]+}}, {{.*}}, v0.t
// CHECK: vle32.v [[KEPT:v[0-9]+]], {{.*}}, v0.t
// CHECK-NOT: v0.t
// CHECK: vadd.vv {{v[0-9]+}}, {{v[0-9]+}}, [[KEPT]], v0.t
kernel void k(global uint *out, global const uint *in, global const float *f, uint n) {
    local uint kept[512];
    uint x = get_global_id(0) - 1073741824, y = get_global_id(1), id = get_global_linear_id();
    uint local_id = get_local_linear_id(), a = in[id & 1023], sum = x * 3 + y;
    uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);
    uint array[8] = {0};
    a = a * 3 + (ushort)sum;
    a = a * 3 + (sum - a);
    kept[local_id] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (local_id == 3 % items) {
        for (int i = get_global_id(0) - 1073741824; i < n; i += get_global_size(0)) {
            if (f[x] > 0.5f) {
                array[0] = (int)(sum >> (a & 15)) >> (a % (sum | 1) & 7);
                sum += kept[local_id];
            }
            sum += in[(y + 1) * 19 + get_local_id(0) + n];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = sum + array[a & 7];
}
