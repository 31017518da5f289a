; SPDX-License-Identifier: Apache-2.0
; RUN: %opt --target=rv32imafc_zve32f --vlen=128 -passes=rvl-type-legalisation %s | FileCheck %s
; 64 bits are two words where the vector unit has no elements of 64 bits.
; CHECK: [[LOW:%.*]] = add i32
; CHECK: icmp ult i32 [[LOW]]
; CHECK: store i32 [[LOW]], ptr addrspace(1) %q
; CHECK-NOT: add i64
define void @f(i32 %x, i32 %y, i32 %z, i32 %a3, i32 %a4, i32 %a5, i32 %a6, i32 %a7, i32 %a8, i32 %a9, i32 %a10, i32 %a11, i32 %a12, i32 %a13, i32 %a14, i32 %a15, i32 %a16, i32 %a17, i32 %a18, i32 %a19, i32 %a20, i32 %a21, i32 %a22, i32 %a23, i32 %a24, i32 %a25, ptr %saved, ptr addrspace(3) %local, ptr addrspace(1) %p, i64 %n) {
  %q = getelementptr i64, ptr addrspace(1) %p, i32 %x
  %v = load i64, ptr addrspace(1) %q
  %s = add i64 %v, %n
  store i64 %s, ptr addrspace(1) %q
  ret void
}
