// SPDX-License-Identifier: Apache-2.0
//
// A generic pointer is private if it points below the end of the kernel's frame. On AArch64 variables may
// lie above the frame pointer, among the saved registers.
//
// RUN: %cc --target=x86_64 -cl-std=CL3.0 --emit=spmd %s -o - | FileCheck %s
// RUN: %cc --target=aarch64 -cl-std=CL3.0 --emit=spmd %s -o - | FileCheck %s --check-prefix=ARM
//
// CHECK: call ptr @llvm.frameaddress.p0(i32 0)
// CHECK-NEXT: [[END:%.*]] = ptrtoint ptr
// CHECK-NEXT: sub i64 [[END]]
//
// ARM: call ptr @llvm.frameaddress.p0(i32 0)
// ARM-NEXT: [[FRAME:%.*]] = ptrtoint ptr
// ARM-NEXT: [[END:%.*]] = add i64 [[FRAME]], 192
// ARM: sub i64 [[END]]
kernel void test(global int *out) {
    long wide = get_global_id(0);
    long *p = &wide;
    out[get_global_id(0)] = to_private(p) != 0;
}
