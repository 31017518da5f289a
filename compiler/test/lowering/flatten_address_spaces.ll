; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-flatten-address-spaces %s | FileCheck %s
; CHECK: define void @f(ptr %a, ptr %b)
; CHECK-NOT: addrspace
define void @f(ptr addrspace(1) %a, ptr addrspace(3) %b) {
  %v = load i32, ptr addrspace(1) %a
  store i32 %v, ptr addrspace(3) %b
  ret void
}
