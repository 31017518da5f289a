; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-inline-operations %s | FileCheck %s
; Calls of mul_hi that are left after the work-group pass are written out.
; CHECK: define i32 @f(
; CHECK-NOT: call
; CHECK: mul i64
define i32 @f(i32 %a) {
  %r = call i32 @_Z6mul_hiii(i32 %a, i32 3)
  ret i32 %r
}
define internal i32 @_Z6mul_hiii(i32 %a, i32 %b) {
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %p = mul i64 %x, %y
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}
