; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-field-loads | FileCheck %s
; Two halves of a word at addresses of any distance are one load of it.
; CHECK: load i32, ptr addrspace(1) %first
; CHECK: lshr i32 {{.*}}, 16
define void @f(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
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

; Contiguous loads need no word: a vector load takes all lanes.
; CHECK-LABEL: @contiguous(
; CHECK: load i16
; CHECK: load i16
define void @contiguous(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %first = getelementptr i32, ptr addrspace(1) %out, i32 %x
  %second = getelementptr i8, ptr addrspace(1) %first, i32 2
  %a = load i16, ptr addrspace(1) %first, align 4
  %b = load i16, ptr addrspace(1) %second, align 4
  %s = add i16 %a, %b
  store i16 %s, ptr addrspace(1) %p
  ret void
}

; The word might not be aligned.
; CHECK-LABEL: @unaligned(
; CHECK-NOT: lshr
; CHECK: ret void
define void @unaligned(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %first = getelementptr i16, ptr addrspace(1) %out, i32 %index
  %second = getelementptr i8, ptr addrspace(1) %first, i32 2
  %a = load i16, ptr addrspace(1) %first, align 2
  %b = load i16, ptr addrspace(1) %second, align 2
  %s = add i16 %a, %b
  store i16 %s, ptr addrspace(1) %at
  ret void
}

; One field doesn't fill the word.
; CHECK-LABEL: @alone(
; CHECK-NOT: lshr
; CHECK: ret void
define void @alone(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %first = getelementptr i32, ptr addrspace(1) %out, i32 %index
  %a = load i16, ptr addrspace(1) %first, align 4
  store i16 %a, ptr addrspace(1) %at
  ret void
}
