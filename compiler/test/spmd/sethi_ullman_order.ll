; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-sethi-ullman-order %s | FileCheck %s
; A contiguous load waits until its value is wanted.
; CHECK: %a = load
; CHECK: %c = mul
; CHECK: %b = load
; CHECK: %d = add i32 %c, %b
define void @f(i32 %x, i32 %y, i32 %z, i32 %a3, i32 %a4, i32 %a5, i32 %a6, i32 %a7, i32 %a8, i32 %a9, i32 %a10, i32 %a11, i32 %a12, i32 %a13, i32 %a14, i32 %a15, i32 %a16, i32 %a17, i32 %a18, i32 %a19, i32 %a20, i32 %a21, i32 %a22, i32 %a23, i32 %a24, i32 %a25, ptr %saved, ptr addrspace(3) %local, ptr addrspace(1) %p, ptr addrspace(1) %r) {
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %s = getelementptr i32, ptr addrspace(1) %r, i32 %x
  %b = load i32, ptr addrspace(1) %s
  %a = load i32, ptr addrspace(1) %q
  %c = mul i32 %a, %a
  %d = add i32 %c, %b
  store i32 %d, ptr addrspace(1) %q
  ret void
}
