; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-mac-chains %s | FileCheck %s
; (c + 2f) - (a + 2d): terms that need no product first, then one product added after the other.
; CHECK-LABEL: @f(
; CHECK: [[FIRST:%.*]] = sub i32 %c, %a
; CHECK: [[F:%.*]] = mul i32 %f, 2
; CHECK: [[SECOND:%.*]] = add i32 [[FIRST]], [[F]]
; CHECK: [[D:%.*]] = mul i32 %d, 2
; CHECK: %sum = sub i32 [[SECOND]], [[D]]
; CHECK-NEXT: ret i32 %sum
define i32 @f(i32 %x, i16 %a16, i16 %c16, i16 %d16, i16 %f16) {
  %a = sext i16 %a16 to i32
  %c = sext i16 %c16 to i32
  %d = sext i16 %d16 to i32
  %f = sext i16 %f16 to i32
  %f2 = shl nsw i32 %f, 1
  %d2 = shl nsw i32 %d, 1
  %plus = add nsw i32 %c, %f2
  %minus = add nsw i32 %a, %d2
  %sum = sub nsw i32 %plus, %minus
  ret i32 %sum
}

; The limit: a sum of two products is no chain.
; CHECK-LABEL: @two_products(
; CHECK: %sum = add nsw i32 %a2, %b2
define i32 @two_products(i16 %a16, i16 %b16) {
  %a = sext i16 %a16 to i32
  %b = sext i16 %b16 to i32
  %a2 = mul nsw i32 %a, 3
  %b2 = mul nsw i32 %b, 5
  %sum = add nsw i32 %a2, %b2
  ret i32 %sum
}

; One term of full width begins the chain; two make it a tree.
; CHECK-LABEL: @one_wide(
; CHECK: [[A:%.*]] = mul i32 %a, 3
; CHECK: add i32 %w, [[A]]
define i32 @one_wide(i16 %a16, i16 %b16, i16 %c16, i32 %w) {
  %a = sext i16 %a16 to i32
  %b = sext i16 %b16 to i32
  %c = sext i16 %c16 to i32
  %a3 = mul nsw i32 %a, 3
  %b5 = mul nsw i32 %b, 5
  %c7 = mul nsw i32 %c, 7
  %s1 = add nsw i32 %a3, %b5
  %s2 = add nsw i32 %c7, %w
  %sum = add nsw i32 %s1, %s2
  ret i32 %sum
}
; CHECK-LABEL: @two_wide(
; CHECK: %sum = add nsw i32 %s1, %s3
define i32 @two_wide(i16 %a16, i16 %b16, i16 %c16, i32 %w, i32 %v) {
  %a = sext i16 %a16 to i32
  %b = sext i16 %b16 to i32
  %c = sext i16 %c16 to i32
  %a3 = mul nsw i32 %a, 3
  %b5 = mul nsw i32 %b, 5
  %c7 = mul nsw i32 %c, 7
  %s1 = add nsw i32 %a3, %b5
  %s2 = add nsw i32 %c7, %w
  %s3 = add nsw i32 %s2, %v
  %sum = add nsw i32 %s1, %s3
  ret i32 %sum
}

; Factors: unsigned bytes are multiplied by up to 255, signed ones by up to 127.
; CHECK-LABEL: @unsigned_factor(
; CHECK: %sum = add i16
; CHECK-NEXT: ret
define i16 @unsigned_factor(i8 %a8, i8 %b8, i8 %c8) {
  %a = zext i8 %a8 to i16
  %b = zext i8 %b8 to i16
  %c = zext i8 %c8 to i16
  %a255 = mul i16 %a, 255
  %s = add nsw i16 %a255, %b
  %sum = add nsw i16 %s, %c
  ret i16 %sum
}
; CHECK-LABEL: @large_unsigned_factor(
; CHECK: %sum = add nsw i16 %s, %c
define i16 @large_unsigned_factor(i8 %a8, i8 %b8, i8 %c8) {
  %a = zext i8 %a8 to i16
  %b = zext i8 %b8 to i16
  %c = zext i8 %c8 to i16
  %a257 = mul i16 %a, 257
  %s = add nsw i16 %a257, %b
  %sum = add nsw i16 %s, %c
  ret i16 %sum
}
; CHECK-LABEL: @signed_factor(
; CHECK: %sum = add i16
define i16 @signed_factor(i8 %a8, i8 %b8, i8 %c8) {
  %a = sext i8 %a8 to i16
  %b = sext i8 %b8 to i16
  %c = sext i8 %c8 to i16
  %a127 = mul i16 %a, 127
  %s = add nsw i16 %a127, %b
  %sum = add nsw i16 %s, %c
  ret i16 %sum
}
; CHECK-LABEL: @large_signed_factor(
; CHECK: add nsw i16 {{.*}}, %b
; CHECK: %sum = add nsw i16
define i16 @large_signed_factor(i8 %a8, i8 %b8, i8 %c8, i16 %w) {
  %a = sext i8 %a8 to i16
  %b = sext i8 %b8 to i16
  %c = sext i8 %c8 to i16
  %a128 = mul i16 %a, 128
  %s = add nsw i16 %a128, %b
  %s2 = add nsw i16 %s, %w
  %sum = add nsw i16 %s2, %c
  ret i16 %sum
}

; A sum with another use, or in another block, stays: it would be computed twice.
; CHECK-LABEL: @used_twice(
; CHECK: %s = add nsw i32 %a3, %b5
; CHECK: store i32 %s
; CHECK: %sum = add nsw i32 %s, %c7
define i32 @used_twice(i16 %a16, i16 %b16, i16 %c16, ptr %p) {
  %a = sext i16 %a16 to i32
  %b = sext i16 %b16 to i32
  %c = sext i16 %c16 to i32
  %a3 = mul nsw i32 %a, 3
  %b5 = mul nsw i32 %b, 5
  %c7 = mul nsw i32 %c, 7
  %s = add nsw i32 %a3, %b5
  store i32 %s, ptr %p
  %sum = add nsw i32 %s, %c7
  ret i32 %sum
}
; CHECK-LABEL: @two_blocks(
; CHECK: %s = add nsw i32 %a3, %b5
; CHECK: %sum = add nsw i32 %s, %c7
define i32 @two_blocks(i16 %a16, i16 %b16, i16 %c16) {
  %a = sext i16 %a16 to i32
  %b = sext i16 %b16 to i32
  %c = sext i16 %c16 to i32
  %a3 = mul nsw i32 %a, 3
  %b5 = mul nsw i32 %b, 5
  %s = add nsw i32 %a3, %b5
  br label %next
next:
  %c7 = mul nsw i32 %c, 7
  %sum = add nsw i32 %s, %c7
  ret i32 %sum
}

; Extensions from a quarter of the width are no operands of vwmacc.
; CHECK-LABEL: @quarters(
; CHECK: %sum = add nsw i32 %s, %c7
define i32 @quarters(i8 %a8, i8 %b8, i8 %c8) {
  %a = sext i8 %a8 to i32
  %b = sext i8 %b8 to i32
  %c = sext i8 %c8 to i32
  %a3 = mul nsw i32 %a, 3
  %b5 = mul nsw i32 %b, 5
  %c7 = mul nsw i32 %c, 7
  %s = add nsw i32 %a3, %b5
  %sum = add nsw i32 %s, %c7
  ret i32 %sum
}

; Without a positive term, the first product has the negative factor.
; CHECK-LABEL: @negative(
; CHECK: [[A:%.*]] = mul i32 %a, -3
; CHECK: [[B:%.*]] = mul i32 %b, 5
; CHECK: [[AB:%.*]] = sub i32 [[A]], [[B]]
; CHECK: [[C:%.*]] = mul i32 %c, 7
; CHECK: %sum = sub i32 [[AB]], [[C]]
define i32 @negative(i16 %a16, i16 %b16, i16 %c16) {
  %a = sext i16 %a16 to i32
  %b = sext i16 %b16 to i32
  %c = sext i16 %c16 to i32
  %a3 = mul nsw i32 %a, -3
  %b5 = mul nsw i32 %b, -5
  %c7 = mul nsw i32 %c, -7
  %s = add nsw i32 %a3, %b5
  %sum = add nsw i32 %s, %c7
  ret i32 %sum
}
