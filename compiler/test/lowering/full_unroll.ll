; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-full-unroll %s | FileCheck %s
; CHECK-LABEL: @f(
; CHECK-NOT: phi
define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 4
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Loops stay that are long, of unknown length, or that the program asks to keep.
; CHECK-LABEL: @long(
; CHECK: phi
define void @long(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 400
  br i1 %again, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @unknown(
; CHECK: phi
define void @unknown(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @kept(
; CHECK: phi
define void @kept(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 4
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
