; SPDX-License-Identifier: Apache-2.0
; The outer loop has more than 1,000 blocks once the inner one is unrolled: LICM leaves it alone.
; RUN: %opt -passes='loop(loop-unroll-full),rvl-licm-limit' %s | FileCheck %s
; With 499 iterations it has 1,000: two of each iteration, and two of its own.
; RUN: sed 's/%after, 600/%after, 499/' %s | %opt -passes='loop(loop-unroll-full),rvl-licm-limit' | FileCheck --check-prefix=INSIDE %s
; RUN: sed 's/%after, 600/%after, 499/' %s | %opt -passes='loop(loop-unroll-full),rvl-licm-limit' -rvl-licm-max-blocks=999 | FileCheck %s
; RUN: sed 's/%after, 600/%after, 500/' %s | %opt -passes='loop(loop-unroll-full),rvl-licm-limit' | FileCheck %s
; INSIDE: br i1 %more, label %outer, label %exit{{$}}
; The smaller loops.
; RUN: %opt -passes=rvl-licm-limit -rvl-licm-max-blocks=3 %s | FileCheck --check-prefixes=THREE,FEW %s
; RUN: %opt -passes=rvl-licm-limit -rvl-licm-max-blocks=4 %s | FileCheck --check-prefixes=FOUR,FEW %s
; CHECK: br i1 %more, label %outer, label %exit, !llvm.loop [[LOOP:![0-9]+]]
; CHECK: [[LOOP]] = distinct !{[[LOOP]], [[HINT:![0-9]+]]}
; CHECK: [[HINT]] = !{!"llvm.licm.disable", i32 1}
define void @f(ptr %out, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %after, %end ]
  %bits = lshr i32 %n, %j
  %odd = trunc i32 %bits to i1
  br i1 %odd, label %store, label %end
store:
  store i32 %i, ptr %out
  br label %end
end:
  %after = add nuw i32 %j, 1
  %again = icmp ult i32 %after, 600
  br i1 %again, label %inner, label %latch, !llvm.loop !0
latch:
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %outer, label %exit
exit:
  ret void
}

; Each loop counts its own blocks and those of the loops in it: the inner one has two.
; THREE-LABEL: define void @nested(
; THREE: br i1 %again, label %inner, label %latch{{$}}
; THREE: br i1 %more, label %outer, label %exit, !llvm.loop [[NESTED:![0-9]+]]
; FOUR-LABEL: define void @nested(
; FOUR: br i1 %more, label %outer, label %exit{{$}}
define void @nested(ptr %out, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %after, %end ]
  store i32 %i, ptr %out
  br label %end
end:
  %after = add nuw i32 %j, 1
  %again = icmp ult i32 %after, %n
  br i1 %again, label %inner, label %latch
latch:
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %outer, label %exit
exit:
  ret void
}

; A loop with the hint doesn't get another, and its other hints stay.
; FEW-LABEL: define void @hinted(
; FEW: br i1 %more, label %outer, label %exit, !llvm.loop [[HINTED:![0-9]+]]
define void @hinted(ptr %out, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %first, label %second
first:
  store i32 1, ptr %out
  br label %latch
second:
  store i32 2, ptr %out
  br label %latch
latch:
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %outer, label %exit, !llvm.loop !2
exit:
  ret void
}

; A loop that only progresses gets the hint, too.
; THREE-LABEL: define void @progresses(
; THREE: br i1 %more, label %outer, label %exit, !llvm.loop [[PROGRESSES:![0-9]+]]
define void @progresses(ptr %out, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %odd = trunc i32 %i to i1
  br i1 %odd, label %first, label %second
first:
  store i32 1, ptr %out
  br label %latch
second:
  store i32 2, ptr %out
  br label %latch
latch:
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %outer, label %exit, !llvm.loop !5
exit:
  ret void
}

; A loop with two edges back has its hint at both.
; THREE-LABEL: define void @two_edges_back(
; THREE: br i1 %skips, label %outer, label %rest, !llvm.loop [[TWICE:![0-9]+]]
; THREE: br i1 %more, label %outer, label %exit, !llvm.loop [[TWICE]]
; FOUR-LABEL: define void @two_edges_back(
; FOUR: br i1 %skips, label %outer, label %rest{{$}}
define void @two_edges_back(ptr %out, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %head ], [ %next, %latch ]
  br label %head
head:
  %next = add nuw i32 %i, 1
  %bits = lshr i32 %n, %i
  %skips = trunc i32 %bits to i1
  br i1 %skips, label %outer, label %rest
rest:
  store i32 %i, ptr %out
  br label %latch
latch:
  %more = icmp ult i32 %next, %n
  br i1 %more, label %outer, label %exit
exit:
  ret void
}
; THREE: [[HINT:![0-9]+]] = !{!"llvm.licm.disable", i32 1}
; THREE: [[NESTED]] = distinct !{[[NESTED]], [[HINT]]}
; FEW: [[HINTED]] = distinct !{[[HINTED]], [[OWN:![0-9]+]], [[OTHER:![0-9]+]]}
; FEW: [[OWN]] = !{!"llvm.licm.disable"}
; FEW: [[OTHER]] = !{!"llvm.loop.unroll.disable"}
; THREE: [[PROGRESSES]] = distinct !{[[PROGRESSES]], [[MUST:![0-9]+]], [[HINT]]}
; THREE: [[MUST]] = !{!"llvm.loop.mustprogress"}
; THREE: [[TWICE]] = distinct !{[[TWICE]], [[HINT]]}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
!2 = distinct !{!2, !3, !4}
!3 = !{!"llvm.licm.disable"}
!4 = !{!"llvm.loop.unroll.disable"}
!5 = distinct !{!5, !6}
!6 = !{!"llvm.loop.mustprogress"}
