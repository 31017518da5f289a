// SPDX-License-Identifier: Apache-2.0
// A store to a private array that is not read any more is removed.
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
