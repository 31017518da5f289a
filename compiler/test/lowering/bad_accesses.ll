; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-bad-accesses %s | FileCheck %s
; A report of the address sanitizer is an ecall that ends the launch.
; CHECK: call void asm sideeffect "ecall"
; CHECK-NEXT: unreachable
define void @f(ptr %record, ptr %words, ptr %frame, ptr addrspace(1) %site, i64 %at) {
  call void @rivulet.bad_access.i64(ptr addrspace(1) %site, i64 %at, i64 0, i64 0, i64 0)
  ret void
}
declare void @rivulet.bad_access.i64(ptr addrspace(1), i64, i64, i64, i64)
