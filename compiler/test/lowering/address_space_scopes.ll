; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-address-space-scopes %s | FileCheck %s
; Global and local memory are apart: the accesses say so by scopes.
; CHECK: load i32, ptr addrspace(1) %a{{.*}} !alias.scope [[GLOBAL:![0-9]+]], !noalias
; CHECK: store i32 %v, ptr addrspace(3) %b{{.*}} !alias.scope
define void @f(ptr addrspace(1) %a, ptr addrspace(3) %b) {
  %v = load i32, ptr addrspace(1) %a
  store i32 %v, ptr addrspace(3) %b
  ret void
}
