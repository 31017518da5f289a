; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-select-index %s | FileCheck %s
; CHECK-LABEL: @f(
; CHECK: [[I:%.*]] = select i1 %c, i64 %i, i64 %j
; CHECK: getelementptr float, ptr %p, i64 [[I]]
define ptr @f(ptr %p, i64 %i, i64 %j, i1 %c) {
  %a = getelementptr inbounds float, ptr %p, i64 %i
  %b = getelementptr inbounds float, ptr %p, i64 %j
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
; CHECK-LABEL: @otherwise_first_element(
; CHECK: [[I:%.*]] = select i1 %c, i64 0, i64 %i
; CHECK: getelementptr float, ptr addrspace(3) %p, i64 [[I]]
define ptr addrspace(3) @otherwise_first_element(ptr addrspace(3) %p, i64 %i, i1 %c) {
  %a = getelementptr float, ptr addrspace(3) %p, i64 %i
  %r = select i1 %c, ptr addrspace(3) %p, ptr addrspace(3) %a
  ret ptr addrspace(3) %r
}

; The base may be a step itself: only the last one is selected.
; CHECK-LABEL: @next_row(
; CHECK: [[I:%.*]] = select i1 %c, i64 %j, i64 0
; CHECK: getelementptr float, ptr %row, i64 [[I]]
define ptr @next_row(ptr %p, i64 %i, i64 %j, i1 %c) {
  %row = getelementptr [8 x float], ptr %p, i64 %i
  %a = getelementptr float, ptr %row, i64 %j
  %r = select i1 %c, ptr %a, ptr %row
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

; An address by two indices is not the base, though it begins there (it was once taken for it).
; CHECK-LABEL: @two_indices(
; CHECK: select i1 %c, ptr %a, ptr %b
define ptr @two_indices(ptr %p, i64 %i, i64 %j, i1 %c) {
  %a = getelementptr [8 x float], ptr %p, i64 %i, i64 %j
  %b = getelementptr [8 x float], ptr %p, i64 %j
  %r = select i1 %c, ptr %a, ptr %b
  ret ptr %r
}
; CHECK-LABEL: @otherwise_two_indices(
; CHECK: select i1 %c, ptr %b, ptr %a
define ptr @otherwise_two_indices(ptr %p, i64 %i, i64 %j, i1 %c) {
  %a = getelementptr [8 x float], ptr %p, i64 %i, i64 %j
  %b = getelementptr [8 x float], ptr %p, i64 %j
  %r = select i1 %c, ptr %b, ptr %a
  ret ptr %r
}

; A select of numbers is left alone.
; CHECK-LABEL: @numbers(
; CHECK: select i1 %c, i64 %i, i64 %j
; CHECK-NEXT: ret i64
define i64 @numbers(i64 %i, i64 %j, i1 %c) {
  %r = select i1 %c, i64 %i, i64 %j
  ret i64 %r
}
