; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-field-loads %s | FileCheck %s
; Two halves of a word at addresses of any distance are one load of it.
; CHECK: load i32, ptr addrspace(1) %first
; CHECK: lshr i32 {{.*}}, 16
define void @f(i32 %x, i32 %y, i32 %z, i32 %a3, i32 %a4, i32 %a5, i32 %a6, i32 %a7, i32 %a8, i32 %a9, i32 %a10, i32 %a11, i32 %a12, i32 %a13, i32 %a14, i32 %a15, i32 %a16, i32 %a17, i32 %a18, i32 %a19, i32 %a20, i32 %a21, i32 %a22, i32 %a23, i32 %a24, i32 %a25, ptr %saved, ptr addrspace(3) %local, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %first = getelementptr i32, ptr addrspace(1) %out, i32 %index
  %second = getelementptr i8, ptr addrspace(1) %first, i32 2
  %a = load i16, ptr addrspace(1) %first, align 4
  %b = load i16, ptr addrspace(1) %second, align 4
  %s = add i16 %a, %b
  store i16 %s, ptr addrspace(1) %at
  ret void
}
