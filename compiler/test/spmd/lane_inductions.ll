; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-lane-inductions | FileCheck %s
; All lanes count alike, each from its own start: a scalar counts from 0.
; CHECK: phi i32 [ 0, %entry ]
define void @f(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %n) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %start = load i32, ptr addrspace(1) %at
  %end = add nsw i32 %start, 9
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %q
  %w = mul i32 %v, %v
  store i32 %w, ptr addrspace(1) %q
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %end
  br i1 %again, label %loop, label %done
done:
  ret void
}
