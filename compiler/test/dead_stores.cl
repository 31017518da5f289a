// SPDX-License-Identifier: Apache-2.0
// What is stored in a private array and not read anymore isn't stored.
// RUN: %cc %s --target=rv64gc --emit=asm | FileCheck %s

// CHECK-LABEL: {{^}}stored_last:
// CHECK-NOT: 1234
// CHECK: .size{{[[:space:]]+}}stored_last
kernel void stored_last(global int *out, global const int *in, int i) {
    int table[40];
    for (int k = 0; k < 40; k++)
        table[k] = in[k];
    out[get_global_id(0)] = table[i & 31];
    table[(i + 1) & 31] = 1234;
}
