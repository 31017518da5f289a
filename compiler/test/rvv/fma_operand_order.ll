; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-fma-operand-order %s | FileCheck %s
; The factor without other uses comes second: code generation overwrites that one.
; CHECK: call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> %a, <vscale x 2 x float> %one,
define <vscale x 2 x float> @f(<vscale x 2 x float> %a, <vscale x 2 x float> %b, <vscale x 2 x float> %c) {
  %one = fadd <vscale x 2 x float> %b, %c
  %r = call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> %one, <vscale x 2 x float> %a, <vscale x 2 x float> %c)
  ret <vscale x 2 x float> %r
}

; Both are computed in this block and die here: the order stays.
; CHECK-LABEL: @both(
; CHECK: call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> %one, <vscale x 2 x float> %two,
define <vscale x 2 x float> @both(<vscale x 2 x float> %a, <vscale x 2 x float> %b, <vscale x 2 x float> %c) {
  %one = fadd <vscale x 2 x float> %b, %c
  %two = fadd <vscale x 2 x float> %a, %c
  %r = call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> %one, <vscale x 2 x float> %two, <vscale x 2 x float> %c)
  ret <vscale x 2 x float> %r
}

; A value that is used again isn't killed here.
; CHECK-LABEL: @used_again(
; CHECK: call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> %one, <vscale x 2 x float> %a,
define <vscale x 2 x float> @used_again(<vscale x 2 x float> %a, <vscale x 2 x float> %b, <vscale x 2 x float> %c) {
  %one = fadd <vscale x 2 x float> %b, %c
  %r = call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> %one, <vscale x 2 x float> %a, <vscale x 2 x float> %c)
  %s = fadd <vscale x 2 x float> %r, %one
  ret <vscale x 2 x float> %s
}

; Scalar multiply-adds overwrite no operand.
; CHECK-LABEL: @scalars(
; CHECK: call float @llvm.fma.f32(float %one, float %a, float %c)
define float @scalars(float %a, float %b, float %c) {
  %one = fadd float %b, %c
  %r = call float @llvm.fma.f32(float %one, float %a, float %c)
  ret float %r
}

; A factor of another block, and one that a loop carries, must keep their registers.
; CHECK-LABEL: @carried(
; CHECK: call <vscale x 2 x float> @llvm.fmuladd.nxv2f32(<vscale x 2 x float> %sum, <vscale x 2 x float> %one,
define <vscale x 2 x float> @carried(<vscale x 2 x float> %a, <vscale x 2 x float> %b, i1 %again) {
entry:
  br label %loop
loop:
  %sum = phi <vscale x 2 x float> [ %a, %entry ], [ %r, %loop ]
  %one = fadd <vscale x 2 x float> %b, %a
  %r = call <vscale x 2 x float> @llvm.fmuladd.nxv2f32(<vscale x 2 x float> %one, <vscale x 2 x float> %sum, <vscale x 2 x float> %b)
  br i1 %again, label %loop, label %end
end:
  ret <vscale x 2 x float> %r
}
; CHECK-LABEL: @other_block(
; CHECK: call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> %one, <vscale x 2 x float> %a,
define <vscale x 2 x float> @other_block(<vscale x 2 x float> %a, <vscale x 2 x float> %b) {
  %one = fadd <vscale x 2 x float> %b, %a
  br label %next
next:
  %r = call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> %one, <vscale x 2 x float> %a, <vscale x 2 x float> %b)
  ret <vscale x 2 x float> %r
}
