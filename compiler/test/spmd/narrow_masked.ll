; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-narrow-masked %s | FileCheck %s
; CHECK: [[S:%.*]] = mul i32 %x, 7
; CHECK: [[W:%.*]] = zext i32 [[S]] to i64
; CHECK: ret i64 [[W]]
define i64 @f(i32 %x) {
  %w = zext i32 %x to i64
  %m = mul i64 %w, 7
  %r = and i64 %m, 4294967295
  ret i64 %r
}

; The lower half of a right shift depends on the upper half.
; CHECK-LABEL: @right_shift(
; CHECK: lshr i64
; CHECK: and i64
; CHECK: ret i64 %r
define i64 @right_shift(i64 %x) {
  %m = lshr i64 %x, 3
  %r = and i64 %m, 4294967295
  ret i64 %r
}

; A shift by 32 leaves nothing of the lower half, in 32 bits it would be poison.
; CHECK-LABEL: @shift_by_32(
; CHECK: shl i64
; CHECK: ret i64 %r
define i64 @shift_by_32(i32 %x) {
  %w = zext i32 %x to i64
  %m = shl i64 %w, 32
  %r = and i64 %m, 4294967295
  ret i64 %r
}

; A 64-bit operand has no lower half without a truncation.
; CHECK-LABEL: @wide_operand(
; CHECK: mul i64
; CHECK: ret i64 %r
define i64 @wide_operand(i64 %x) {
  %m = mul i64 %x, 7
  %r = and i64 %m, 4294967295
  ret i64 %r
}

; Another mask than that of 32 bits.
; CHECK-LABEL: @other_mask(
; CHECK: mul i64
; CHECK: ret i64 %r
define i64 @other_mask(i32 %x) {
  %w = zext i32 %x to i64
  %m = mul i64 %w, 7
  %r = and i64 %m, 65535
  ret i64 %r
}

; The limit: six operations are followed, the seventh is not.
; CHECK-LABEL: @six(
; CHECK-COUNT-6: add i32
; CHECK-NOT: ret i64 %r
define i64 @six(i32 %x) {
  %w = zext i32 %x to i64
  %e1 = add i64 %w, %w
  %e2 = add i64 %e1, 1
  %e3 = add i64 %e2, 1
  %e4 = add i64 %e3, 1
  %e5 = add i64 %e4, 1
  %e6 = add i64 %e5, 1
  %r = and i64 %e6, 4294967295
  ret i64 %r
}
; CHECK-LABEL: @seven(
; CHECK-NOT: zext i32 {{%[0-9]+}} to i64
; CHECK: ret i64 %r
define i64 @seven(i32 %x) {
  %w = zext i32 %x to i64
  %e1 = add i64 %w, %w
  %e2 = add i64 %e1, 1
  %e3 = add i64 %e2, 1
  %e4 = add i64 %e3, 1
  %e5 = add i64 %e4, 1
  %e6 = add i64 %e5, 1
  %e7 = add i64 %e6, 1
  %r = and i64 %e7, 4294967295
  ret i64 %r
}

; Sign extension comes down to 32 bits; flags of 64-bit sums don't.
; CHECK-LABEL: @signed(
; CHECK: [[S:%.*]] = sext i8 %x to i32
; CHECK: add i32 [[S]], %y
define i64 @signed(i8 %x, i32 %y) {
  %w = sext i8 %x to i64
  %v = zext i32 %y to i64
  %m = add nuw nsw i64 %w, %v
  %r = and i64 %m, 4294967295
  ret i64 %r
}

; A shift by 31 stays within the lower half, one by an unknown number may not.
; CHECK-LABEL: @shift_by_31(
; CHECK: shl i32 %x, 31
define i64 @shift_by_31(i32 %x) {
  %w = zext i32 %x to i64
  %m = shl i64 %w, 31
  %r = and i64 %m, 4294967295
  ret i64 %r
}
; CHECK-LABEL: @variable_shift(
; CHECK: shl i64
; CHECK: ret i64 %r
define i64 @variable_shift(i32 %x, i32 %y) {
  %w = zext i32 %x to i64
  %v = zext i32 %y to i64
  %m = shl i64 %w, %v
  %r = and i64 %m, 4294967295
  ret i64 %r
}

; The lower half of a quotient depends on the upper half of its operands.
; CHECK-LABEL: @quotient(
; CHECK: udiv i64
; CHECK: ret i64 %r
define i64 @quotient(i32 %x) {
  %w = zext i32 %x to i64
  %m = mul i64 %w, 7
  %d = udiv i64 %m, 3
  %r = and i64 %d, 4294967295
  ret i64 %r
}

; A value of 33 bits, and a mask of a value of 33 bits.
; CHECK-LABEL: @odd_operand(
; CHECK: add i64
; CHECK: ret i64 %r
define i64 @odd_operand(i33 %x) {
  %w = zext i33 %x to i64
  %m = add i64 %w, 7
  %r = and i64 %m, 4294967295
  ret i64 %r
}
; CHECK-LABEL: @odd_result(
; CHECK: add i33
; CHECK: ret i33 %r
define i33 @odd_result(i32 %x) {
  %w = zext i32 %x to i33
  %m = add i33 %w, 7
  %r = and i33 %m, 4294967295
  ret i33 %r
}
