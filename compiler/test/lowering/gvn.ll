; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-gvn %s | FileCheck %s
; CHECK: join:
; CHECK-NEXT: ret i32 %a
define i32 @f(i32 %x, i1 %c) {
entry:
  %a = mul i32 %x, %x
  br i1 %c, label %side, label %join
side:
  br label %join
join:
  %b = mul i32 %x, %x
  ret i32 %b
}
