; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-infer-address-spaces %s | FileCheck %s
; CHECK: load i32, ptr addrspace(1) %p
define i32 @f(ptr addrspace(1) %p) {
  %generic = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  %r = load i32, ptr addrspace(4) %generic
  ret i32 %r
}
