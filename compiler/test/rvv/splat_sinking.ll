; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-splat-sinking %s | FileCheck %s
; The splat of another block comes to the maximum, which has a .vf form. CodeGenPrepare is told to leave
; splats alone.
; CHECK-LABEL: @f(
; CHECK-SAME: #[[SUNK:[0-9]+]]
; CHECK: next:
; CHECK-NEXT: insertelement
; CHECK-NEXT: shufflevector
; CHECK-NEXT: llvm.maxnum
define <vscale x 2 x float> @f(<vscale x 2 x float> %v, float %s) {
entry:
  %i = insertelement <vscale x 2 x float> poison, float %s, i64 0
  %splat = shufflevector <vscale x 2 x float> %i, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  br label %next
next:
  %m = call <vscale x 2 x float> @llvm.maxnum.nxv2f32(<vscale x 2 x float> %v, <vscale x 2 x float> %splat)
  ret <vscale x 2 x float> %m
}

; By the target's costs also what has a .vx form: but a difference only as the second operand.
; CHECK-LABEL: @sum(
; CHECK: next:
; CHECK-NEXT: insertelement
; CHECK-NEXT: shufflevector
; CHECK-NEXT: add
define <vscale x 2 x i32> @sum(<vscale x 2 x i32> %v, i32 %s) {
entry:
  %i = insertelement <vscale x 2 x i32> poison, i32 %s, i64 0
  %splat = shufflevector <vscale x 2 x i32> %i, <vscale x 2 x i32> poison, <vscale x 2 x i32> zeroinitializer
  br label %next
next:
  %m = add <vscale x 2 x i32> %v, %splat
  ret <vscale x 2 x i32> %m
}
; CHECK-LABEL: @shifted(
; CHECK: next:
; CHECK-NEXT: shl
define <vscale x 2 x i32> @shifted(<vscale x 2 x i32> %v, i32 %s) {
entry:
  %i = insertelement <vscale x 2 x i32> poison, i32 %s, i64 0
  %splat = shufflevector <vscale x 2 x i32> %i, <vscale x 2 x i32> poison, <vscale x 2 x i32> zeroinitializer
  br label %next
next:
  %m = shl <vscale x 2 x i32> %splat, %v
  ret <vscale x 2 x i32> %m
}

; A splat in the same block, of a scalar that comes from there, is folded by instruction selection.
; CHECK-LABEL: @near(
; CHECK: insertelement
; CHECK-NEXT: shufflevector
; CHECK-NEXT: mul
; CHECK-NEXT: llvm.maxnum
define <vscale x 2 x float> @near(<vscale x 2 x float> %v, float %a) {
  %s = fadd float %a, 1.0
  %i = insertelement <vscale x 2 x float> poison, float %s, i64 0
  %splat = shufflevector <vscale x 2 x float> %i, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %w = fmul <vscale x 2 x float> %v, %v
  %m = call <vscale x 2 x float> @llvm.maxnum.nxv2f32(<vscale x 2 x float> %w, <vscale x 2 x float> %splat)
  ret <vscale x 2 x float> %m
}

; A vector that is no splat stays.
; CHECK-LABEL: @no_splat(
; CHECK: next:
; CHECK-NEXT: llvm.maxnum
define <vscale x 2 x float> @no_splat(<vscale x 2 x float> %v, float %s) {
entry:
  %i = insertelement <vscale x 2 x float> %v, float %s, i64 0
  br label %next
next:
  %m = call <vscale x 2 x float> @llvm.maxnum.nxv2f32(<vscale x 2 x float> %v, <vscale x 2 x float> %i)
  ret <vscale x 2 x float> %m
}

; CodeGenPrepare copies the comparison to the block of its user: it is asked to sink splats as well, all
; but that of the maximum.
; CHECK-LABEL: @compared(
; CHECK-NOT: #[[SUNK]]
; CHECK: next:
; CHECK-NEXT: add <vscale x 2 x i32> %u, %splat
; CHECK-NEXT: insertelement
; CHECK-NEXT: shufflevector
; CHECK-NEXT: llvm.maxnum
define <vscale x 2 x i32> @compared(<vscale x 2 x i32> %u, <vscale x 2 x float> %v, i32 %t, float %s) {
entry:
  %i = insertelement <vscale x 2 x i32> poison, i32 %t, i64 0
  %splat = shufflevector <vscale x 2 x i32> %i, <vscale x 2 x i32> poison, <vscale x 2 x i32> zeroinitializer
  %j = insertelement <vscale x 2 x float> poison, float %s, i64 0
  %bound = shufflevector <vscale x 2 x float> %j, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %c = icmp slt <vscale x 2 x i32> %u, %splat
  br label %next
next:
  %a = add <vscale x 2 x i32> %u, %splat
  %m = call <vscale x 2 x float> @llvm.maxnum.nxv2f32(<vscale x 2 x float> %v, <vscale x 2 x float> %bound)
  %b = bitcast <vscale x 2 x float> %m to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %c, <vscale x 2 x i32> %a, <vscale x 2 x i32> %b
  ret <vscale x 2 x i32> %r
}

; CHECK: attributes #[[SUNK]] = {{.*}}+no-sink-splat-operands
