; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-infer-address-spaces %s | FileCheck %s
; CHECK-LABEL: @f(
; CHECK: load i32, ptr addrspace(1) %p
define i32 @f(ptr addrspace(1) %p) {
  %generic = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  %r = load i32, ptr addrspace(4) %generic
  ret i32 %r
}

; A pointer of unknown space stays generic, and one that may be of two.
; CHECK-LABEL: @unknown(
; CHECK: load i32, ptr addrspace(4) %p
define i32 @unknown(ptr addrspace(4) %p) {
  %r = load i32, ptr addrspace(4) %p
  ret i32 %r
}
; CHECK-LABEL: @either(
; CHECK: load i32, ptr addrspace(4) %p
define i32 @either(ptr addrspace(1) %a, ptr addrspace(3) %b, i1 %c) {
  %x = addrspacecast ptr addrspace(1) %a to ptr addrspace(4)
  %y = addrspacecast ptr addrspace(3) %b to ptr addrspace(4)
  %p = select i1 %c, ptr addrspace(4) %x, ptr addrspace(4) %y
  %r = load i32, ptr addrspace(4) %p
  ret i32 %r
}

; An address on the way, a choice in one space, and a loop keep the space.
; CHECK-LABEL: @one_space(
; CHECK: load i32, ptr addrspace(3)
define i32 @one_space(ptr addrspace(3) %a, ptr addrspace(3) %b, i1 %c, i64 %i) {
  %x = addrspacecast ptr addrspace(3) %a to ptr addrspace(4)
  %y = addrspacecast ptr addrspace(3) %b to ptr addrspace(4)
  %p = select i1 %c, ptr addrspace(4) %x, ptr addrspace(4) %y
  %q = getelementptr i32, ptr addrspace(4) %p, i64 %i
  %r = load i32, ptr addrspace(4) %q
  ret i32 %r
}
