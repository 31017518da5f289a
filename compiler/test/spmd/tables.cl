// SPDX-License-Identifier: Apache-2.0
// Where a table begins is part of the address, not of each lane's number in it: that stays narrow.
// RUN: %cc %s --vlen=512 --emit=asm | FileCheck %s

// CHECK-LABEL: {{^}}bytes:
// CHECK-NOT: vluxei{{16|32|64}}
// CHECK-NOT: vadd
// CHECK: vluxei8.v
// CHECK-NOT: vluxei{{16|32|64}}
// CHECK-LABEL: .size bytes
kernel void bytes(global uchar *restrict out, global const uchar *in, constant uchar *table, int n) {
    int i = get_global_id(0);
    out[i] = table[n * 256 + in[i]] + table[in[i] + 512];
}

// CHECK-LABEL: {{^}}in_local_memory:
// CHECK-NOT: vluxei{{32|64}}
// CHECK: vluxei16.v
// CHECK-NOT: vluxei{{32|64}}
// CHECK-LABEL: .size in_local_memory
kernel void in_local_memory(global float *restrict out, global const uchar *in,
                            global const float *table, local float *copy) {
    int i = get_global_id(0), l = get_local_id(0);
    copy[l] = table[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = copy[in[i]];
}

// An index that isn't extended stays as wide as it is.
// CHECK-LABEL: {{^}}words:
// CHECK-NOT: vnsrl
// CHECK: vluxei32.v
// CHECK-LABEL: .size words
kernel void words(global float *restrict out, global const uint *in, global const float *table) {
    int i = get_global_id(0);
    out[i] = table[(in[i] >> 16 & 255) + 256];
}

// Tables of the program are small, too: the index doesn't limit lanes as one of 64 bits would.
// CHECK-LABEL: {{^}}letters:
// CHECK: vsetvli {{.*}}e8, m4
// CHECK: vluxei8.v
// CHECK-LABEL: .size letters
constant uchar alphabet[64] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
kernel void letters(global uchar2 *restrict out, global const ushort *in) {
    int i = get_global_id(0);
    ushort v = in[i];
    out[i] = (uchar2)(alphabet[v >> 10], alphabet[v & 63]);
}
