; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-mac-chains %s | FileCheck %s
; (c + 2f) - (a + 2d): terms that need no product first, then one product added after the other.
; CHECK: [[FIRST:%.*]] = sub i32 %c, %a
; CHECK: mul i32 %f, 2
; CHECK: = add i32 [[FIRST]],
define i32 @f(i32 %x, i16 %a16, i16 %c16, i16 %d16, i16 %f16) {
  %a = sext i16 %a16 to i32
  %c = sext i16 %c16 to i32
  %d = sext i16 %d16 to i32
  %f = sext i16 %f16 to i32
  %f2 = shl i32 %f, 1
  %d2 = shl i32 %d, 1
  %plus = add i32 %c, %f2
  %minus = add i32 %a, %d2
  %sum = sub i32 %plus, %minus
  ret i32 %sum
}
