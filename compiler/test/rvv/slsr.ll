; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-slsr %s | FileCheck %s
; The rows i, i + 1 and i + 2 are a width away from each other.
; CHECK-LABEL: @f(
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

; A row that is two apart takes as many instructions either way: there is no value of two widths.
; CHECK-LABEL: @two_apart(
; CHECK: %y1 = mul i64 %i1, %w
define void @two_apart(ptr %p, i64 %i, i64 %w) {
  %y0 = mul i64 %i, %w
  %i1 = add i64 %i, 2
  %y1 = mul i64 %i1, %w
  %a = getelementptr float, ptr %p, i64 %y0
  %b = getelementptr float, ptr %p, i64 %y1
  store float 1.0, ptr %a
  store float 1.0, ptr %b
  ret void
}

; Other widths, and sums of other types, have nothing in common.
; CHECK-LABEL: @other_width(
; CHECK: %y1 = mul i64 %i1, %v
define void @other_width(ptr %p, i64 %i, i64 %w, i64 %v) {
  %y0 = mul i64 %i, %w
  %i1 = add i64 %i, 1
  %y1 = mul i64 %i1, %v
  %a = getelementptr float, ptr %p, i64 %y0
  %b = getelementptr float, ptr %p, i64 %y1
  store float 1.0, ptr %a
  store float 1.0, ptr %b
  ret void
}
; CHECK-LABEL: @other_type(
; CHECK: %y1 = mul i32 %i1, %v
define void @other_type(ptr %p, i64 %i, i64 %w, i32 %j, i32 %v) {
  %y0 = mul i64 %i, %w
  %i1 = add i32 %j, 1
  %y1 = mul i32 %i1, %v
  %a = getelementptr float, ptr %p, i64 %y0
  %b = getelementptr float, ptr %p, i32 %y1
  store float 1.0, ptr %a
  store float 1.0, ptr %b
  ret void
}

; The flags of a sum that is used for another one go: it may wrap where the other one doesn't.
; CHECK-LABEL: @flags(
; CHECK: %y0 = mul i64 %i, %w
; CHECK: %y1 = add i64 %y0, %w
define void @flags(ptr %p, i64 %i, i64 %w) {
  %y0 = mul nsw nuw i64 %i, %w
  %i1 = add nsw i64 %i, 1
  %y1 = mul nsw i64 %i1, %w
  %a = getelementptr float, ptr %p, i64 %y0
  %b = getelementptr float, ptr %p, i64 %y1
  store float 1.0, ptr %a
  store float 1.0, ptr %b
  ret void
}

; A value of another path isn't there.
; CHECK-LABEL: @paths(
; CHECK: right:
; CHECK: mul i64 %i1, %w
define void @paths(ptr %p, i64 %i, i64 %w, i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  %y0 = mul i64 %i, %w
  %a = getelementptr float, ptr %p, i64 %y0
  store float 1.0, ptr %a
  br label %end
right:
  %i1 = add i64 %i, 1
  %y1 = mul i64 %i1, %w
  %b = getelementptr float, ptr %p, i64 %y1
  store float 1.0, ptr %b
  br label %end
end:
  ret void
}
