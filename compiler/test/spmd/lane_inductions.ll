; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-lane-inductions %s | FileCheck %s
; All lanes count alike, each from its own start: a scalar counts from 0.
; CHECK: phi i32 [ 0, %entry ]
define void @f(i32 %x, i32 %y, i32 %z, i32 %a3, i32 %a4, i32 %a5, i32 %a6, i32 %a7, i32 %a8, i32 %a9, i32 %a10, i32 %a11, i32 %a12, i32 %a13, i32 %a14, i32 %a15, i32 %a16, i32 %a17, i32 %a18, i32 %a19, i32 %a20, i32 %a21, i32 %a22, i32 %a23, i32 %a24, i32 %a25, ptr %saved, ptr addrspace(3) %local, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %n) {
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
