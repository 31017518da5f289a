; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-lsr-hints %s | FileCheck %s
; The start of the loop's addresses is a value, not a sum.
; CHECK: freeze ptr
define void @f(ptr %p, i64 %from, i64 %n) {
entry:
  %start = getelementptr i32, ptr %p, i64 %from
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %start, i64 %i
  store i32 1, ptr %q
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
