; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-remove-unused %s | FileCheck %s
; Functions that nobody calls go, and with them the variables in local memory that they name.
; CHECK-NOT: @tile
; CHECK-NOT: @inlined
; CHECK: define void @kernel
@tile = internal addrspace(3) global [4 x i32] poison
define internal i32 @inlined() {
  %n = load i32, ptr addrspace(3) @tile
  ret i32 %n
}
define void @kernel() {
  ret void
}
