// SPDX-License-Identifier: Apache-2.0
// In groups with rows of any length, a strip goes through all rows before the next one does: facts
// about the strip, its VL above all, are computed before the loop.
// RUN: %cc %s --emit=spmd --vlen=512 | FileCheck %s
// RUN: %cc %s --emit=asm --vlen=512 | FileCheck %s --check-prefix=ASM
// ASM-LABEL: columns:
// ASM: vsetvli zero, {{a[0-9]+}}, e32
// ASM-NEXT: {{^}}.LBB
// ASM-NOT: vset
// ASM: vlse32.v
// ASM-NOT: vset
// ASM: vse32.v
// ASM-NOT: vset
// ASM: b{{[a-z]+}}
kernel void columns(global float *out, int h, local float *t) {
    int x = get_local_id(0), y = get_local_id(1);
    out[y * h + x] = t[x * 17 + y];
}
// Bounds of x that are uniform over rows are computed before them.
// CHECK-LABEL: @bounded(
// CHECK: {{^}}all_rows{{.*}}:
// CHECK: llvm.smin
// CHECK: {{^}}strip{{.*}}:
// CHECK: {{^}}y{{[0-9]*}}:
// CHECK-NOT: llvm.smin
// CHECK: {{^}}}
kernel void bounded(global float *out, local float *t, int w) {
    int x = get_local_id(0), y = get_local_id(1);
    if (x < w)
        out[x * 16 + y] = t[y * 16 + x];
}
// Rows of different lengths, and conditions that differ from row to row, keep the loop over rows
// outside. One that changes at few values of y parts the rows there.
// CHECK-LABEL: @triangle(
// CHECK: {{^}}y{{[0-9]*}}:
// CHECK: {{^}}y.body{{.*}}:
// CHECK: {{^}}strip{{.*}}:
// CHECK-LABEL: @first(
// CHECK: {{^}}part{{[0-9]*}}:
// CHECK: icmp eq i32 %at, 1
// CHECK: {{^}}strip{{.*}}:
// CHECK: {{^}}y{{[0-9]*}}:
// CHECK-LABEL: @odd(
// CHECK: {{^}}y{{[0-9]*}}:
// CHECK: {{^}}y.body{{.*}}:
// CHECK: {{^}}strip{{.*}}:
kernel void triangle(global float *out, local float *t) {
    int x = get_local_id(0), y = get_local_id(1);
    if (x < y)
        out[x * 16 + y] = t[y * 16 + x];
}
kernel void first(global float *out, local float *t) {
    int x = get_local_id(0), y = get_local_id(1);
    if (y == 1) {
        for (int i = 0; i < x; ++i)
            out[x] += t[i];
    } else {
        out[y * 16 + x] = t[y * 16 + x];
    }
}
kernel void odd(global float *out, local float *t) {
    int x = get_local_id(0), y = get_local_id(1);
    if (y & 1) {
        for (int i = 0; i < x; ++i)
            out[x] += t[i];
    } else {
        out[y * 16 + x] = t[y * 16 + x];
    }
}
// So do kernels that never ask for y: most groups have one row then.
// CHECK-LABEL: @sums(
// CHECK-NOT: {{^}}all_rows{{.*}}:
kernel void sums(global float *out, local float *t) {
    int x = get_local_id(0);
    float a = t[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[x] = a + out[x];
}
