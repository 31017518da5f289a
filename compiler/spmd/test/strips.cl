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
