// SPDX-License-Identifier: Apache-2.0
// Indices of 32 bits stay that, although ids are of 64: neighbours are one load, in loops, too.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @shifted(
// CHECK-NOT: vp.gather
// CHECK-LABEL: @counted(
// CHECK-NOT: <vscale x {{[0-9]+}} x i64>
// CHECK: @llvm.vp.load
kernel void shifted(global uint *a, global const uint *b) {
    uint i = get_local_id(0);
    if (i > 4)
        a[i] = b[i - 1] + b[i - 3];
}
kernel void counted(global uint *a, global const uint *b, uint n) {
    uint sum = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        sum += b[i];
    a[get_global_id(0)] = sum;
}
// A 64-bit counter with only 32 demanded bits is narrowed to 32.
// CHECK-LABEL: @series(
// CHECK: phi <vscale x {{[0-9]+}} x i32>
// CHECK: mul <vscale x {{[0-9]+}} x i32>
kernel void series(global uint *a, uint n) {
    size_t i = get_global_id(0), sum = i;
    for (uint k = 0; k < n; ++k)
        sum = sum * 5 + k;
    a[i] = sum;
}
