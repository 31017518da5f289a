// SPDX-License-Identifier: Apache-2.0
// Scalars that x86 keeps in vector registers (VMOVSD) are no vectors: the loopback driver's kernels
// run one work-item after the other.
// RUN: cd %S && %cc remarks_spill_host.cl --target=x86_64 --emit=asm -o %t.s --remarks=%t.yaml
// RUN: grep -E 'vmovsd.*\(%rsp\)' %t.s
// RUN: FileCheck %s --implicit-check-not='Name: {{ *}}Spill' < %t.yaml

// CHECK: Name: ScalarSpill
// CHECK: Function: sums
// CHECK: more scalars, {{.*}} are live at once than registers hold
kernel void sums(global const double *from, global double *to, int n) {
    double sum[40];
#pragma unroll
    for (int i = 0; i < 40; ++i)
        sum[i] = from[i * n];
    for (int k = 0; k < n; ++k) {
#pragma unroll
        for (int i = 0; i < 40; ++i)
            sum[i] = sum[i] * sum[(i + 7) % 40] + from[k];
    }
#pragma unroll
    for (int i = 0; i < 40; ++i)
        to[i * n] = sum[i];
}
