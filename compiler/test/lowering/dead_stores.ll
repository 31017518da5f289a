; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-dead-stores %s | FileCheck %s
; CHECK-LABEL: @f(
; CHECK-NOT: store i32 1
define void @f() {
  %v = alloca i32
  store i32 1, ptr %v
  ret void
}
