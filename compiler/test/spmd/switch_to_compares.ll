; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-switch-to-compares %s | FileCheck %s
; A switch of few cases becomes comparisons, one after the other.
; CHECK-LABEL: @f(
; CHECK-NOT: switch
; CHECK: icmp eq i32 %x, 1
; CHECK: icmp eq i32 %x, 5
define void @f(i32 %x, ptr %p) {
entry:
  switch i32 %x, label %end [ i32 1, label %one  i32 5, label %five ]
one:
  store i32 1, ptr %p
  br label %end
five:
  store i32 5, ptr %p
  br label %end
end:
  ret void
}
