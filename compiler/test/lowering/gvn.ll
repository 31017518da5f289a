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

; Loads are numbered in short functions only.
; RUN: %opt -passes=rvl-gvn %s | FileCheck --check-prefix=SHORT %s
; RUN: %opt -passes=rvl-gvn -rvl-gvn-loads-max-instructions=6 %s | FileCheck --check-prefix=SHORT %s
; RUN: %opt -passes=rvl-gvn -rvl-gvn-loads-max-instructions=5 %s | FileCheck --check-prefix=LONG %s
; SHORT-LABEL: @loads(
; SHORT: join:
; SHORT-NOT: load
; LONG-LABEL: @loads(
; LONG: join:
; LONG: load
define i32 @loads(ptr %p, i1 %c) {
entry:
  %a = load i32, ptr %p
  br i1 %c, label %side, label %join
side:
  br label %join
join:
  %b = load i32, ptr %p
  %s = add i32 %a, %b
  ret i32 %s
}
