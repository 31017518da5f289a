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
