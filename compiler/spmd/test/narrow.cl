// SPDX-License-Identifier: Apache-2.0
// Bytes are added in 16 bits, not in C's int.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @average(
// CHECK: zext <vscale x [[N:[0-9]+]] x i8> %{{.*}} to <vscale x [[N]] x i16>
// CHECK-NOT: x i32> %
// CHECK: call void @llvm.vp.store
kernel void average(global const uchar *a, global const uchar *b, global uchar *c) {
    size_t i = get_global_id(0);
    c[i] = (a[i] + b[i] + 1) >> 1;
}
