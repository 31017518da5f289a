; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-end-loops %s | FileCheck %s
; A loop without an exit gets one that is never taken: work_dim, the parameter asked, is never 0.
; CHECK: icmp eq i32 %dimensions, 0
; CHECK: never:
define void @f( i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %a4, i32 %a5, i32 %a6, i32 %a7, i32 %a8, i32 %a9, i32 %a10, i32 %a11, i32 %a12, i32 %a13, i32 %a14, i32 %a15, i32 %a16, i32 %a17, i32 %a18, i32 %a19, i32 %a20, i32 %a21, i32 %a22, i32 %a23, i32 %dimensions) {
entry:
  br label %loop
loop:
  br label %loop
}
