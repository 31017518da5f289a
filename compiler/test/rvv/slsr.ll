; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-slsr %s | FileCheck %s
; The rows i, i + 1 and i + 2 are a width away from each other.
; CHECK: %y1 = add i64 %y0, %w
; CHECK: %y2 = add i64 %y1, %w
define void @f(ptr %p, i64 %i, i64 %w) {
  %y0 = mul i64 %i, %w
  %i1 = add i64 %i, 1
  %y1 = mul i64 %i1, %w
  %i2 = add i64 %i, 2
  %y2 = mul i64 %i2, %w
  %a = getelementptr float, ptr %p, i64 %y0
  %b = getelementptr float, ptr %p, i64 %y1
  %c = getelementptr float, ptr %p, i64 %y2
  store float 1.0, ptr %a
  store float 1.0, ptr %b
  store float 1.0, ptr %c
  ret void
}
