; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-sethi-ullman-order | FileCheck %s
; A contiguous load waits until its value is wanted.
; CHECK: %a = load
; CHECK: %c = mul
; CHECK: %b = load
; CHECK: %d = add i32 %c, %b
define void @f(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %r) {
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %s = getelementptr i32, ptr addrspace(1) %r, i32 %x
  %b = load i32, ptr addrspace(1) %s
  %a = load i32, ptr addrspace(1) %q
  %c = mul i32 %a, %a
  %d = add i32 %c, %b
  store i32 %d, ptr addrspace(1) %q
  ret void
}
