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
