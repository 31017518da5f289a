; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-uniform-trip-count %s | FileCheck %s
; From id to id + 5: all lanes count from 0 to 5.
; CHECK: icmp slt i64 {{.*}}, 5
define void @f(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %a4, i32 %a5, i32 %a6, i32 %a7, i32 %a8, i32 %a9, i32 %a10, i32 %a11, i32 %a12, i32 %a13, i32 %a14, i32 %a15, i32 %a16, i32 %a17, i32 %a18, i32 %a19, i32 %a20, i32 %a21, i32 %a22, i32 %a23, i32 %a24, i32 %a25, ptr %saved, ptr addrspace(3) %local, ptr %p, i1 %c, i1 %d) {
entry:
  %to = add nsw i32 %a0, 5
  br label %loop
loop:
  %i = phi i32 [ %a0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %to
  br i1 %again, label %loop, label %end
end:
  ret void
}
