; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-umin-wrap %s | FileCheck %s
; x >= n ? x - n : x is the smaller one of x and x - n.
; CHECK: [[D:%.*]] = sub i32 %x, %n
; CHECK: call i32 @llvm.umin.i32(i32 %x, i32 [[D]])
define i32 @f(i32 %x, i32 %n) {
  %less = icmp ult i32 %x, %n
  %by = select i1 %less, i32 0, i32 %n
  %r = sub i32 %x, %by
  ret i32 %r
}

; A signed comparison chooses otherwise.
; CHECK-LABEL: @signed(
; CHECK-NOT: umin
; CHECK: ret i32
define i32 @signed(i32 %x, i32 %n) {
  %less = icmp slt i32 %x, %n
  %by = select i1 %less, i32 0, i32 %n
  %r = sub i32 %x, %by
  ret i32 %r
}

; So does one with another number than is subtracted.
; CHECK-LABEL: @other_limit(
; CHECK-NOT: umin
; CHECK: ret i32
define i32 @other_limit(i32 %x, i32 %n, i32 %m) {
  %less = icmp ult i32 %x, %m
  %by = select i1 %less, i32 0, i32 %n
  %r = sub i32 %x, %by
  ret i32 %r
}

; The select is wanted elsewhere, so it would stay.
; CHECK-LABEL: @used_twice(
; CHECK-NOT: umin
; CHECK: ret i32
define i32 @used_twice(i32 %x, i32 %n, ptr %p) {
  %less = icmp ult i32 %x, %n
  %by = select i1 %less, i32 0, i32 %n
  store i32 %by, ptr %p
  %r = sub i32 %x, %by
  ret i32 %r
}
