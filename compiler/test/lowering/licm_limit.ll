; SPDX-License-Identifier: Apache-2.0
; The outer loop has more than 1,000 blocks once the inner one is unrolled: LICM leaves it alone.
; RUN: %opt -passes='loop(loop-unroll-full),rvl-licm-limit' %s | FileCheck %s
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
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
