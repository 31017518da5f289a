; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-end-loops | FileCheck %s
; A loop without an exit gets one that is never taken: work_dim, the parameter asked, is never 0.
; CHECK: icmp eq i32 %dimensions, 0
; CHECK: never:
define void @f(WORK_ITEM) {
entry:
  br label %loop
loop:
  br label %loop
}

; A loop with an exit keeps it.
; CHECK-LABEL: @ends(
; CHECK-NOT: never
; CHECK: ret void
define void @ends(WORK_ITEM, i1 %c) {
entry:
  br label %loop
loop:
  br i1 %c, label %loop, label %end
end:
  ret void
}
