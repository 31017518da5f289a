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
