; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-narrow-phis %s | FileCheck %s
; Only the low half of the counter is wanted.
; CHECK: phi i32
; CHECK-NOT: phi i64
define void @f(ptr %p, i64 %start) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %next, %loop ]
  %low = trunc i64 %i to i32
  store volatile i32 %low, ptr %p
  %next = add i64 %i, 1
  %cut = trunc i64 %next to i32
  %again = icmp ult i32 %cut, 100
  br i1 %again, label %loop, label %end
end:
  ret void
}
