; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-end-loops | FileCheck %s
; A loop without an exit gets one that is never taken: work_dim, the parameter asked, is never 0.
; CHECK-LABEL: @endless(
; CHECK: br label %loop
; CHECK: again:
; CHECK-NEXT: [[C:%.*]] = icmp eq i32 %dimensions, 0
; CHECK-NEXT: br i1 [[C]], label %never, label %loop
; CHECK: loop:
; CHECK-NEXT: br label %again
; CHECK: never:
; CHECK-NEXT: ret void
define void @endless(WORK_ITEM) {
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

; A return inside is an exit as well.
; CHECK-LABEL: @returns(
; CHECK-NOT: never
; CHECK: }
define void @returns(WORK_ITEM, i1 %c) {
entry:
  br label %loop
loop:
  br i1 %c, label %latch, label %end
latch:
  br label %loop
end:
  ret void
}

; Values around the loop come by the new edge.
; CHECK-LABEL: @counts(
; CHECK: phi i32 [ 0, %entry ], [ %next, %again ]
define void @counts(WORK_ITEM, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 1
  br label %loop
}

; Two endless loops share the end that is never reached.
; CHECK-LABEL: @two(
; CHECK-COUNT-2: br i1 %{{.*}}, label %never
; CHECK: never:
; CHECK-NOT: never
; CHECK: }
define void @two(WORK_ITEM, i1 %c) {
entry:
  br i1 %c, label %one, label %other
one:
  br label %one
other:
  br label %other
}

; A loop that only leads to its outer loop is left, so the outer loop alone gets an exit.
; CHECK-LABEL: @nested(
; CHECK: icmp eq i32 %dimensions, 0
; CHECK-NOT: icmp
; CHECK: }
define void @nested(WORK_ITEM, i1 %c) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %c, label %inner, label %latch
latch:
  br label %outer
}
