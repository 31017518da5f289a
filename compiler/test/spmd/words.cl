// SPDX-License-Identifier: Apache-2.0
// Fields that fill an aligned word come as one, wherever each lane finds them.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @picked(
// CHECK: call <vscale x [[N:[0-9]+]] x i32> @llvm.riscv.vluxei
// CHECK-NOT: vluxseg
kernel void picked(global const uchar4 *a, global const int *at, global float4 *b) {
    int i = get_global_id(0);
    b[i] = convert_float4(a[at[i]]);
}
// Words side by side need no index.
// CHECK-LABEL: @in_order(
// CHECK: llvm.riscv.vlseg4
kernel void in_order(global const uchar4 *a, global float4 *b) {
    int i = get_global_id(0);
    b[i] = convert_float4(a[i].yxwz);
}
// Bytes that aren't aligned as a word are a segment.
// CHECK-LABEL: @unaligned(
// CHECK-NOT: i32, ptr addrspace(1)
// CHECK: llvm.riscv.vluxseg4
kernel void unaligned(global const uchar *a, global const ushort *at, global float4 *b) {
    int i = get_global_id(0);
    b[i] = convert_float4(vload4(0, a + at[i]));
}
// Bytes are converted to float through i32, for which vtype is that of float.
// CHECK-LABEL: @bytes(
// CHECK: zext.{{.*}}i32
// CHECK: uitofp <vscale x {{[0-9]+}} x i32>
kernel void bytes(global const uchar *a, global float *b) {
    int x = get_global_id(0);
    b[x] = a[x] * 0.5f;
}
