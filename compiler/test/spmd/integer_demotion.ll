; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-integer-demotion %s | FileCheck %s
; The mean of two bytes needs nine bits: 16 do.
; CHECK-LABEL: @mean(
; CHECK: add {{.*}}i16
; CHECK: lshr {{.*}}i16
; CHECK-NOT: i32 %u
define void @mean(i32 %x, ptr %a, ptr %b, ptr %out) {
  %p = load i8, ptr %a
  %q = load i8, ptr %b
  %u = zext i8 %p to i32
  %v = zext i8 %q to i32
  %s = add nuw nsw i32 %u, %v
  %h = lshr i32 %s, 1
  %t = trunc i32 %h to i8
  store i8 %t, ptr %out
  ret void
}

; The limits: 255 · 128 is below 2^15, 255 · 129 is not. nsw proves no range.
; CHECK-LABEL: @below(
; CHECK: mul i16
define i32 @below(i8 %p) {
  %u = zext i8 %p to i32
  %m = mul nsw i32 %u, 128
  ret i32 %m
}
; CHECK-LABEL: @above(
; CHECK: mul nsw i32
; CHECK-NOT: i16
; CHECK: ret i32
define i32 @above(i8 %p) {
  %u = zext i8 %p to i32
  %m = mul nsw i32 %u, 129
  %t = trunc i32 %m to i8
  %w = zext i8 %t to i32
  ret i32 %m
}

; The sum of two shorts needs 17 bits, their minimum 16. An unsigned short has no signed value of 16
; bits.
; CHECK-LABEL: @shorts(
; CHECK: add nsw i32
; CHECK: call i16 @llvm.smin.i16(i16 %p, i16 %q)
define i32 @shorts(i16 %p, i16 %q, ptr %out) {
  %u = sext i16 %p to i32
  %v = sext i16 %q to i32
  %s = add nsw i32 %u, %v
  store i32 %s, ptr %out
  %m = call i32 @llvm.smin.i32(i32 %u, i32 %v)
  ret i32 %m
}
; CHECK-LABEL: @unsigned_shorts(
; CHECK: call i32 @llvm.umin.i32
; CHECK-NOT: i16 @
; CHECK: ret i32
define i32 @unsigned_shorts(i16 %p, i16 %q) {
  %u = zext i16 %p to i32
  %v = zext i16 %q to i32
  %m = call i32 @llvm.umin.i32(i32 %u, i32 %v)
  ret i32 %m
}

; Neither bits of 1 nor of 17 are extended to 16, nor to 64.
; CHECK-LABEL: @widths(
; CHECK-NOT: i16
; CHECK: ret i64
define i64 @widths(i1 %a, i17 %b, i8 %c, ptr %out) {
  %u = zext i1 %a to i32
  %v = sext i17 %b to i32
  %s = add i32 %u, 1
  store i32 %s, ptr %out
  %t = add i32 %v, 1
  store i32 %t, ptr %out
  %w = zext i8 %c to i64
  %r = add i64 %w, 1
  ret i64 %r
}

; Sign extension keeps both orders, so an unsigned comparison of numbers below zero is one of 16 bits.
; CHECK-LABEL: @compared(
; CHECK: icmp ult i16 {{%.*}}, -3
; CHECK: icmp slt i16 {{%.*}}, -3
; CHECK-NOT: i32
; CHECK: ret i1
define i1 @compared(i8 %p) {
  %u = sext i8 %p to i32
  %a = icmp ult i32 %u, -3
  %b = icmp slt i32 %u, -3
  %c = and i1 %a, %b
  ret i1 %c
}

; A comparison with a number that 16 bits don't hold.
; CHECK-LABEL: @compared_to_large(
; CHECK: icmp ult i32 %u, 32768
define i1 @compared_to_large(i8 %p) {
  %u = sext i8 %p to i32
  %a = icmp ult i32 %u, 32768
  ret i1 %a
}

; The upper half of a negative number moves down in a logical right shift.
; CHECK-LABEL: @logical_shift(
; CHECK: lshr i32 %u, 1
define i32 @logical_shift(i8 %p) {
  %u = sext i8 %p to i32
  %r = lshr i32 %u, 1
  ret i32 %r
}
; CHECK-LABEL: @arithmetic_shift(
; CHECK: ashr i16
define i32 @arithmetic_shift(i8 %p) {
  %u = sext i8 %p to i32
  %r = ashr i32 %u, 1
  ret i32 %r
}

; A shift by 16 or more is no shift of 16 bits; a shift by 15 is.
; CHECK-LABEL: @shifts(
; CHECK: lshr i16 {{%.*}}, 15
; CHECK: lshr i32 %u, 16
define void @shifts(i8 %p, ptr %out) {
  %u = zext i8 %p to i32
  %a = lshr i32 %u, 15
  store volatile i32 %a, ptr %out
  %b = lshr i32 %u, 16
  store volatile i32 %b, ptr %out
  ret void
}
; CHECK-LABEL: @variable_shift(
; CHECK: lshr i32 %u, %v
define i32 @variable_shift(i8 %p, i8 %q) {
  %u = zext i8 %p to i32
  %v = zext i8 %q to i32
  %r = lshr i32 %u, %v
  ret i32 %r
}

; |-32768| is no number of 16 bits. |-128| is.
; CHECK-LABEL: @magnitudes(
; CHECK: call i32 @llvm.abs.i32(i32 %u, i1 true)
; CHECK: call i16 @llvm.abs.i16(i16 {{%.*}}, i1 false)
define void @magnitudes(i16 %p, i8 %q, ptr %out) {
  %u = sext i16 %p to i32
  %v = sext i8 %q to i32
  %a = call i32 @llvm.abs.i32(i32 %u, i1 true)
  store volatile i32 %a, ptr %out
  %b = call i32 @llvm.abs.i32(i32 %v, i1 true)
  store volatile i32 %b, ptr %out
  ret void
}

; Divisions stay: there is no faster one of 16 bits than LLVM's multiplication.
; CHECK-LABEL: @divided(
; CHECK: udiv i32
define i32 @divided(i8 %p, i8 %q) {
  %u = zext i8 %p to i32
  %v = zext i8 %q to i32
  %r = udiv i32 %u, %v
  ret i32 %r
}

; A product of bytes that is only added to ints stays, for vwmacc. One that is stored, too, does not.
; CHECK-LABEL: @accumulated(
; CHECK: mul nsw i32
define i32 @accumulated(i8 %p, i8 %q, i32 %sum) {
  %u = sext i8 %p to i32
  %v = sext i8 %q to i32
  %m = mul nsw i32 %u, %v
  %s = add i32 %m, %sum
  ret i32 %s
}
; CHECK-LABEL: @accumulated_and_stored(
; CHECK: mul i16
define i32 @accumulated_and_stored(i8 %p, i8 %q, i32 %sum, ptr %out) {
  %u = sext i8 %p to i32
  %v = sext i8 %q to i32
  %m = mul nsw i32 %u, %v
  %s = add i32 %m, %sum
  %t = trunc i32 %m to i16
  store i16 %t, ptr %out
  ret i32 %s
}

; A phi keeps its type; two edges of one block bring one extension.
; CHECK-LABEL: @carried(
; CHECK: [[W:%.*]] = sext i16 {{%.*}} to i32
; CHECK-NEXT: switch
; CHECK: phi i32 [ [[W]], %entry ], [ [[W]], %entry ], [ 0, %other ]
define i32 @carried(i8 %p, i32 %which) {
entry:
  %u = zext i8 %p to i32
  %s = add i32 %u, 1
  switch i32 %which, label %other [ i32 1, label %end
                                    i32 2, label %end ]
other:
  br label %end
end:
  %r = phi i32 [ %s, %entry ], [ %s, %entry ], [ 0, %other ]
  ret i32 %r
}

; Users that truncate take what they want of the 16 bits, or of the 32 bits.
; CHECK-LABEL: @truncated(
; CHECK: [[S:%.*]] = add i16
; CHECK: trunc i16 [[S]] to i8
; CHECK: store volatile i16 [[S]]
; CHECK: [[W:%.*]] = sext i16 [[S]] to i32
; CHECK: trunc i32 [[W]] to i17
define i17 @truncated(i8 %p, ptr %out) {
  %u = zext i8 %p to i32
  %s = add i32 %u, 1
  %a = trunc i32 %s to i8
  store volatile i8 %a, ptr %out
  %b = trunc i32 %s to i16
  store volatile i16 %b, ptr %out
  %c = trunc i32 %s to i17
  ret i17 %c
}
