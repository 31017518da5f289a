; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-mask-complements %s | FileCheck %s
; Both ways of a branch: one comparison, and its complement by the way.
; CHECK-LABEL: @ways(
; CHECK: [[C:%.*]] = icmp slt <vscale x 8 x i32> %v, %w
; CHECK-NOT: xor
; CHECK: call <vscale x 8 x i1> @llvm.riscv.vmandn.nxv8i1.i64(<vscale x 8 x i1> %m, <vscale x 8 x i1> [[C]], i64 -1)
define void @ways(<vscale x 8 x i32> %v, <vscale x 8 x i32> %w, <vscale x 8 x i1> %m, ptr %p) {
  %c = icmp slt <vscale x 8 x i32> %v, %w
  %then = and <vscale x 8 x i1> %m, %c
  %not = xor <vscale x 8 x i1> %c, splat (i1 true)
  %else = and <vscale x 8 x i1> %not, %m
  store volatile <vscale x 8 x i1> %then, ptr %p
  store volatile <vscale x 8 x i1> %else, ptr %p
  ret void
}
; CHECK-LABEL: @either(
; CHECK-NOT: xor
; CHECK: call <vscale x 8 x i1> @llvm.riscv.vmorn.nxv8i1.i64(<vscale x 8 x i1> %m, <vscale x 8 x i1> %c, i64 -1)
define void @either(<vscale x 8 x float> %v, <vscale x 8 x float> %w, <vscale x 8 x i1> %m, ptr %p) {
  %c = fcmp olt <vscale x 8 x float> %v, %w
  %not = xor <vscale x 8 x i1> %c, splat (i1 true)
  %or = or <vscale x 8 x i1> %m, %not
  store volatile <vscale x 8 x i1> %c, ptr %p
  store volatile <vscale x 8 x i1> %or, ptr %p
  ret void
}

; Of two complements, one is taken by the way.
; CHECK-LABEL: @neither(
; CHECK: [[NOT:%.*]] = xor <vscale x 8 x i1> %d, splat (i1 true)
; CHECK: call <vscale x 8 x i1> @llvm.riscv.vmandn.nxv8i1.i64(<vscale x 8 x i1> [[NOT]], <vscale x 8 x i1> %c, i64 -1)
define void @neither(<vscale x 8 x i32> %v, <vscale x 8 x i32> %w, ptr %p) {
  %c = icmp slt <vscale x 8 x i32> %v, %w
  %d = icmp eq <vscale x 8 x i32> %v, %w
  %c.not = xor <vscale x 8 x i1> %c, splat (i1 true)
  %d.not = xor <vscale x 8 x i1> %d, splat (i1 true)
  %neither = and <vscale x 8 x i1> %c.not, %d.not
  store volatile <vscale x 8 x i1> %c, ptr %p
  store volatile <vscale x 8 x i1> %d, ptr %p
  store volatile <vscale x 8 x i1> %neither, ptr %p
  ret void
}

; The opposite comparison takes the place of one that nobody else needs.
; CHECK-LABEL: @opposite(
; CHECK: xor
define void @opposite(<vscale x 8 x i32> %v, <vscale x 8 x i32> %w, <vscale x 8 x i1> %m, ptr %p) {
  %c = icmp slt <vscale x 8 x i32> %v, %w
  %not = xor <vscale x 8 x i1> %c, splat (i1 true)
  %else = and <vscale x 8 x i1> %not, %m
  store volatile <vscale x 8 x i1> %else, ptr %p
  ret void
}
; The complement is a mask of its own; it is one of no comparison, or of one in another block; no vectors.
; CHECK-LABEL: @mask(
; CHECK: xor
define void @mask(<vscale x 8 x i32> %v, <vscale x 8 x i32> %w, <vscale x 8 x i1> %m, ptr %p) {
  %c = icmp slt <vscale x 8 x i32> %v, %w
  %not = xor <vscale x 8 x i1> %c, splat (i1 true)
  %else = and <vscale x 8 x i1> %not, %m
  store volatile <vscale x 8 x i1> %c, ptr %p
  store volatile <vscale x 8 x i1> %else, ptr %p
  store volatile <vscale x 8 x i1> %not, ptr %p
  ret void
}
; CHECK-LABEL: @no_comparison(
; CHECK: xor
define void @no_comparison(<vscale x 8 x i1> %c, <vscale x 8 x i1> %m, ptr %p) {
  %not = xor <vscale x 8 x i1> %c, splat (i1 true)
  %else = and <vscale x 8 x i1> %not, %m
  store volatile <vscale x 8 x i1> %c, ptr %p
  store volatile <vscale x 8 x i1> %else, ptr %p
  ret void
}
; CHECK-LABEL: @other_block(
; CHECK: xor
define void @other_block(<vscale x 8 x i32> %v, <vscale x 8 x i32> %w, <vscale x 8 x i1> %m, ptr %p) {
  %c = icmp slt <vscale x 8 x i32> %v, %w
  store volatile <vscale x 8 x i1> %c, ptr %p
  br label %next
next:
  %not = xor <vscale x 8 x i1> %c, splat (i1 true)
  %else = and <vscale x 8 x i1> %not, %m
  store volatile <vscale x 8 x i1> %else, ptr %p
  ret void
}
; CHECK-LABEL: @scalar(
; CHECK: xor
define void @scalar(i32 %v, i32 %w, i1 %m, ptr %p) {
  %c = icmp slt i32 %v, %w
  %not = xor i1 %c, true
  %else = and i1 %not, %m
  store volatile i1 %c, ptr %p
  store volatile i1 %else, ptr %p
  ret void
}
