// SPDX-License-Identifier: Apache-2.0
// Strips take their length as the elements are wide; where the vector length is known, four full
// strips of a small kernel run at a time, at constant distances.
// RUN: %cc %s --emit=spmd | FileCheck %s
// RUN: %cc %s --emit=spmd --vlen 128 | FileCheck %s --check-prefix=KNOWN
// CHECK-LABEL: @scale(
// CHECK: call i64 @llvm.riscv.vsetvli.i64(i64 %{{.*}}, i64 2, i64 3)
// KNOWN-LABEL: @scale(
// KNOWN: full_strips.i:
// KNOWN: getelementptr i8, ptr addrspace(1) [[FIRST:%[0-9]+]], i64 128
// KNOWN: getelementptr i8, ptr addrspace(1) [[FIRST]], i64 256
// KNOWN: llvm.riscv.vsetvli
kernel void scale(global float *a, float by) { a[get_global_id(0)] *= by; }
// A row of a work-group is a few strips long: one loop, and no test before it.
// KNOWN-LABEL: @step(
// KNOWN: strip{{.*}}:
// KNOWN-NOT: full_strips
// KNOWN: llvm.riscv.vsetvli
kernel void step(local float *s, global float *out, uint half_) {
    uint l = get_local_id(0);
    s[l] += s[l + half_];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        *out = s[0];
}
