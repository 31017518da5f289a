; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-end-unreachable %s | FileCheck %s
; CHECK-LABEL: @f(
; CHECK-NOT: unreachable
define void @f(i1 %c) {
  br i1 %c, label %a, label %b
a:
  unreachable
b:
  ret void
}
