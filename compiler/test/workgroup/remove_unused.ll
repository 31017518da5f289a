; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-remove-unused %s | FileCheck %s
; Functions without callers go, and with them the variables in local memory that only they use, and the
; functions that only they call. Variables of the program stay, and what a kernel uses.
; CHECK-NOT: @tile =
; CHECK: @used_tile = internal addrspace(3) global
; CHECK: @program = internal addrspace(1) global
; CHECK-NOT: @inlined
; CHECK-NOT: @called_by_inlined
; CHECK: define internal i32 @called
; CHECK: define void @kernel
; CHECK: declare i32 @declared()
@tile = internal addrspace(3) global [4 x i32] poison
@used_tile = internal addrspace(3) global [4 x i32] poison
@program = internal addrspace(1) global i32 0
define internal i32 @called_by_inlined() {
  ret i32 3
}
define internal i32 @inlined() {
  %n = load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 4)
  %m = call i32 @called_by_inlined()
  ret i32 %n
}
define internal i32 @called() {
  %n = load i32, ptr addrspace(3) @used_tile
  ret i32 %n
}
define void @kernel() {
  %n = call i32 @called()
  ret void
}
declare i32 @declared()
