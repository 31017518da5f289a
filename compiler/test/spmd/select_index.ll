; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-select-index %s | FileCheck %s
; CHECK: [[I:%.*]] = select i1 %c, i64 %i, i64 %j
; CHECK: getelementptr float, ptr %p, i64 [[I]]
define ptr @f(ptr %p, i64 %i, i64 %j, i1 %c) {
  %a = getelementptr float, ptr %p, i64 %i
  %b = getelementptr float, ptr %p, i64 %j
  %r = select i1 %c, ptr %a, ptr %b
  ret ptr %r
}

; One of the two is the buffer's beginning: index 0.
; CHECK-LABEL: @first_element(
; CHECK: [[I:%.*]] = select i1 %c, i64 %i, i64 0
; CHECK: getelementptr float, ptr %p, i64 [[I]]
define ptr @first_element(ptr %p, i64 %i, i1 %c) {
  %a = getelementptr float, ptr %p, i64 %i
  %r = select i1 %c, ptr %a, ptr %p
  ret ptr %r
}

; Two buffers.
; CHECK-LABEL: @two_buffers(
; CHECK: select i1 %c, ptr
define ptr @two_buffers(ptr %p, ptr %q, i64 %i, i1 %c) {
  %a = getelementptr float, ptr %p, i64 %i
  %b = getelementptr float, ptr %q, i64 %i
  %r = select i1 %c, ptr %a, ptr %b
  ret ptr %r
}

; Steps of different sizes, or indices of different types, have no common index.
; CHECK-LABEL: @two_sizes(
; CHECK: select i1 %c, ptr
define ptr @two_sizes(ptr %p, i64 %i, i1 %c) {
  %a = getelementptr float, ptr %p, i64 %i
  %b = getelementptr double, ptr %p, i64 %i
  %r = select i1 %c, ptr %a, ptr %b
  ret ptr %r
}
; CHECK-LABEL: @two_types(
; CHECK: select i1 %c, ptr
define ptr @two_types(ptr %p, i64 %i, i32 %j, i1 %c) {
  %a = getelementptr float, ptr %p, i64 %i
  %b = getelementptr float, ptr %p, i32 %j
  %r = select i1 %c, ptr %a, ptr %b
  ret ptr %r
}
