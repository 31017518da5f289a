; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-sethi-ullman-order | FileCheck %s
; RUN: %heads %s | %opt -passes=rvl-sethi-ullman-order -rvl-reorder-max-instructions=5 | FileCheck --check-prefix=LARGE %s
; Functions above the limit keep their order.
; LARGE: %b = load
; LARGE-NEXT: %a = load
; A contiguous load waits until its value is used.
; CHECK-LABEL: @f(
; CHECK: %a = load
; CHECK: %c = mul
; CHECK: %b = load
; CHECK: %d = add i32 %c, %b
define void @f(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %r) {
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %s = getelementptr i32, ptr addrspace(1) %r, i32 %x
  %b = load i32, ptr addrspace(1) %s
  %a = load i32, ptr addrspace(1) %q
  %c = mul i32 %a, %a
  %d = add i32 %c, %b
  store i32 %d, ptr addrspace(1) %q
  ret void
}

; A load must not pass a store that may write what it reads, nor a volatile access; it comes before them.
; CHECK-LABEL: @store_between(
; CHECK: %b = load
; CHECK: store i32 7
; CHECK: load volatile
; CHECK: %a = load
; CHECK: %c = mul
; CHECK: %d = add i32 %c, %b
define void @store_between(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %r) {
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %s = getelementptr i32, ptr addrspace(1) %r, i32 %x
  %b = load i32, ptr addrspace(1) %s
  store i32 7, ptr addrspace(1) %p
  %v = load volatile i32, ptr addrspace(1) %p
  %a = load i32, ptr addrspace(1) %q
  %c = mul i32 %a, %a
  %d = add i32 %c, %b
  store i32 %d, ptr addrspace(1) %q
  ret void
}

; A load in another block than its user stays there, and phis stay in front.
; CHECK-LABEL: @two_blocks(
; CHECK: %b = load
; CHECK: br label %next
; CHECK: next:
; CHECK-NEXT: %e = phi
; CHECK: %d = add i32 %c, %b
define void @two_blocks(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %r) {
entry:
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %s = getelementptr i32, ptr addrspace(1) %r, i32 %x
  %b = load i32, ptr addrspace(1) %s
  br label %next
next:
  %e = phi i32 [ 0, %entry ]
  %a = load i32, ptr addrspace(1) %q
  %c = mul i32 %a, %e
  %d = add i32 %c, %b
  store i32 %d, ptr addrspace(1) %q
  ret void
}

; Loads from addresses without a pattern are not what waits if all vectors fit.
; CHECK-LABEL: @gather(
; CHECK: %b = load
; CHECK: %a = load
define void @gather(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %r) {
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %square = mul i32 %x, %x
  %s = getelementptr i32, ptr addrspace(1) %r, i32 %square
  %b = load i32, ptr addrspace(1) %s
  %a = load i32, ptr addrspace(1) %q
  %c = mul i32 %a, %a
  %d = add i32 %c, %b
  store i32 %d, ptr addrspace(1) %q
  ret void
}

; Volatile accesses keep their order.
; CHECK-LABEL: @volatile(
; CHECK: %b = load volatile
; CHECK: %a = load volatile
; CHECK: %c = mul
define void @volatile(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %r) {
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %s = getelementptr i32, ptr addrspace(1) %r, i32 %x
  %b = load volatile i32, ptr addrspace(1) %s
  %a = load volatile i32, ptr addrspace(1) %q
  %c = mul i32 %a, %a
  %d = add i32 %c, %b
  store i32 %d, ptr addrspace(1) %q
  ret void
}
