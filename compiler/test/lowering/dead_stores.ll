; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-dead-stores %s | FileCheck %s
; CHECK-LABEL: @f(
; CHECK-NOT: store i32 1
define void @f() {
  %v = alloca i32
  store i32 1, ptr %v
  ret void
}

; A function without variables isn't searched.
; CHECK-LABEL: @no_variables(
; CHECK: store i32 1
; CHECK: store i32 2
define void @no_variables(ptr %p) {
  store i32 1, ptr %p
  store i32 2, ptr %p
  ret void
}

; A store that is read stays.
; CHECK-LABEL: @is_read(
; CHECK: store i32 1
define i32 @is_read(ptr %q) {
  %v = alloca i32
  store i32 1, ptr %v
  %r = load volatile i32, ptr %v
  ret i32 %r
}
