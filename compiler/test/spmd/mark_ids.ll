; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-mark-ids %s | FileCheck %s
; A global id, the first one's (parameter 3) plus the local one (parameter 0), is below 2^31.
; CHECK: add nuw nsw i32 %a3, %a0
define i32 @f(i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %a4, i32 %a5, i32 %a6, i32 %a7, i32 %a8, i32 %a9, i32 %a10, i32 %a11, i32 %a12, i32 %a13, i32 %a14, i32 %a15, i32 %a16, i32 %a17, i32 %a18, i32 %a19, i32 %a20, i32 %a21, i32 %a22, i32 %a23, i32 %a24, i32 %a25, i32 %a26, i32 %a27) {
  %id = add i32 %a3, %a0
  ret i32 %id
}
