; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-split-conditions %s | FileCheck %s
; The uniform part of a condition is a branch that all lanes take alike.
; CHECK: br i1 %uniform, label %entry.and
; CHECK: entry.and:
; CHECK: br i1 %divergent
define void @f(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %a4, i32 %a5, i32 %a6, i32 %a7, i32 %a8, i32 %a9, i32 %a10, i32 %a11, i32 %a12, i32 %a13, i32 %a14, i32 %a15, i32 %a16, i32 %a17, i32 %a18, i32 %a19, i32 %a20, i32 %a21, i32 %a22, i32 %a23, i32 %a24, i32 %a25, ptr %saved, ptr addrspace(3) %local, ptr %p, i1 %c, i1 %d) {
entry:
  %uniform = icmp eq i32 %a9, 0
  %divergent = icmp ugt i32 %a0, 5
  %both = select i1 %uniform, i1 %divergent, i1 false
  br i1 %both, label %inside, label %end
inside:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}
