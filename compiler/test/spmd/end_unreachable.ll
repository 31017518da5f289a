; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-end-unreachable %s | FileCheck %s
; Each unreachable end becomes a return; what comes before it stays.
; CHECK-LABEL: @f(
; CHECK: a:
; CHECK-NEXT: store i32 1, ptr %p
; CHECK-NEXT: ret void
; CHECK: b:
; CHECK-NEXT: ret void
; CHECK: c:
; CHECK-NEXT: ret void
define void @f(i32 %x, ptr %p) {
  switch i32 %x, label %a [ i32 1, label %b  i32 2, label %c ]
a:
  store i32 1, ptr %p
  unreachable
b:
  unreachable
c:
  ret void
}

; A function without such an end is left as it is.
; CHECK-LABEL: @returns(
; CHECK-NEXT: br i1 %c, label %a, label %b
; CHECK: ret void
define void @returns(i1 %c) {
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  ret void
}
