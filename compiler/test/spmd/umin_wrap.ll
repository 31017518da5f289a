; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-umin-wrap %s | FileCheck %s
; x >= n ? x - n : x is the smaller one of x and x - n. The difference may wrap, whatever flags the
; original one had.
; CHECK-LABEL: @f(
; CHECK: [[D:%.*]] = sub i32 %x, %n
; CHECK: call i32 @llvm.umin.i32(i32 %x, i32 [[D]])
; CHECK-NOT: select
; CHECK: ret i32
define i32 @f(i32 %x, i32 %n) {
  %less = icmp ult i32 %x, %n
  %by = select i1 %less, i32 0, i32 %n
  %r = sub nuw i32 %x, %by
  ret i32 %r
}

; The comparison with its operands exchanged, as InstCombine orders them, and another width.
; CHECK-LABEL: @exchanged(
; CHECK: [[D:%.*]] = sub i64 %x, %n
; CHECK: call i64 @llvm.umin.i64(i64 %x, i64 [[D]])
define i64 @exchanged(i64 %x, i64 %m) {
  %n = mul i64 %m, %m
  %less = icmp ugt i64 %n, %x
  %by = select i1 %less, i64 0, i64 %n
  %r = sub i64 %x, %by
  ret i64 %r
}

; A signed comparison chooses otherwise, and so do the opposite one and one that includes n.
; CHECK-LABEL: @signed(
; CHECK-NOT: umin
; CHECK: ret i32
define i32 @signed(i32 %x, i32 %n) {
  %less = icmp slt i32 %x, %n
  %by = select i1 %less, i32 0, i32 %n
  %r = sub i32 %x, %by
  ret i32 %r
}
; CHECK-LABEL: @opposite(
; CHECK-NOT: umin
; CHECK: ret i32
define i32 @opposite(i32 %x, i32 %n) {
  %less = icmp ugt i32 %x, %n
  %by = select i1 %less, i32 0, i32 %n
  %r = sub i32 %x, %by
  ret i32 %r
}
; CHECK-LABEL: @included(
; CHECK-NOT: umin
; CHECK: ret i32
define i32 @included(i32 %x, i32 %n) {
  %less = icmp ule i32 %x, %n
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

; Or one of another number, or with the arms exchanged, or with another number than 0.
; CHECK-LABEL: @other_number(
; CHECK-NOT: umin
; CHECK: ret i32
define i32 @other_number(i32 %x, i32 %n, i32 %m) {
  %less = icmp ult i32 %m, %n
  %by = select i1 %less, i32 0, i32 %n
  %r = sub i32 %x, %by
  ret i32 %r
}
; CHECK-LABEL: @other_arm(
; CHECK-NOT: umin
; CHECK: ret i32
define i32 @other_arm(i32 %x, i32 %n) {
  %less = icmp ult i32 %x, %n
  %by = select i1 %less, i32 %n, i32 0
  %r = sub i32 %x, %by
  ret i32 %r
}
; CHECK-LABEL: @no_zero(
; CHECK-NOT: umin
; CHECK: ret i32
define i32 @no_zero(i32 %x, i32 %n) {
  %less = icmp ult i32 %x, %n
  %by = select i1 %less, i32 1, i32 %n
  %r = sub i32 %x, %by
  ret i32 %r
}

; The select has another use, so it would stay.
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
