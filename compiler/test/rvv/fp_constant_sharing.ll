; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-fp-constant-sharing %s | FileCheck %s
; The sum with -3 is the difference from 3, which is in a register anyway.
; CHECK-LABEL: @f(
; CHECK: fsub <vscale x 2 x float> %x, splat (float 3.000000e+00)
define <vscale x 2 x float> @f(<vscale x 2 x float> %x) {
  %a = fmul <vscale x 2 x float> %x, splat (float 3.0)
  %b = fadd <vscale x 2 x float> %x, splat (float -3.0)
  %r = fdiv <vscale x 2 x float> %a, %b
  ret <vscale x 2 x float> %r
}

; The difference is a sum then, with the flags that it had; a product in a sum gets the other sign.
; CHECK-LABEL: @difference(
; CHECK: fadd nsz <vscale x 2 x float> %x, splat (float 3.000000e+00)
define <vscale x 2 x float> @difference(<vscale x 2 x float> %x) {
  %a = fmul <vscale x 2 x float> %x, splat (float 3.0)
  %b = fsub nsz <vscale x 2 x float> %x, splat (float -3.0)
  %r = fdiv <vscale x 2 x float> %a, %b
  ret <vscale x 2 x float> %r
}
; CHECK-LABEL: @product(
; CHECK: [[N:%.*]] = fneg <vscale x 2 x float> %x
; CHECK: call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> [[N]], <vscale x 2 x float> splat (float 3.000000e+00), <vscale x 2 x float> %y)
define <vscale x 2 x float> @product(<vscale x 2 x float> %x, <vscale x 2 x float> %y) {
  %a = fmul <vscale x 2 x float> %x, splat (float 3.0)
  %b = call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> %x, <vscale x 2 x float> splat (float -3.0), <vscale x 2 x float> %y)
  %r = fdiv <vscale x 2 x float> %a, %b
  ret <vscale x 2 x float> %r
}

; The negation of a scalar, even if nothing else needs the scalar.
; CHECK-LABEL: @negation(
; CHECK: fsub <vscale x 2 x float> %x, %{{.*}}
define <vscale x 2 x float> @negation(<vscale x 2 x float> %x, float %s) {
  %n = fneg float %s
  %i = insertelement <vscale x 2 x float> poison, float %n, i64 0
  %v = shufflevector <vscale x 2 x float> %i, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %r = fadd <vscale x 2 x float> %x, %v
  ret <vscale x 2 x float> %r
}

; No instruction uses the other sign: nothing changes.
; CHECK-LABEL: @one_sign(
; CHECK: fadd <vscale x 2 x float> %x, splat (float -3.000000e+00)
define <vscale x 2 x float> @one_sign(<vscale x 2 x float> %x) {
  %b = fadd <vscale x 2 x float> %x, splat (float -3.0)
  ret <vscale x 2 x float> %b
}

; The constant of another type is in another register.
; CHECK-LABEL: @other_type(
; CHECK: fadd <vscale x 2 x float> %x, splat (float -3.000000e+00)
define <vscale x 2 x float> @other_type(<vscale x 2 x float> %x, <vscale x 2 x double> %y) {
  %a = fmul <vscale x 2 x double> %y, splat (double 3.0)
  %short = fptrunc <vscale x 2 x double> %a to <vscale x 2 x float>
  %b = fadd <vscale x 2 x float> %x, splat (float -3.0)
  %r = fdiv <vscale x 2 x float> %short, %b
  ret <vscale x 2 x float> %r
}

; Positions where the sign can't move to another operand: a factor, the left side of a difference, the
; addend of a product, which is no scalar operand.
; CHECK-LABEL: @elsewhere(
; CHECK: fmul <vscale x 2 x float> %x, splat (float -3.000000e+00)
; CHECK: fsub <vscale x 2 x float> splat (float -3.000000e+00), %x
; CHECK: call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> %x, <vscale x 2 x float> %x, <vscale x 2 x float> splat (float -3.000000e+00))
define <vscale x 2 x float> @elsewhere(<vscale x 2 x float> %x) {
  %a = fdiv <vscale x 2 x float> %x, splat (float 3.0)
  %b = fmul <vscale x 2 x float> %x, splat (float -3.0)
  %c = fsub <vscale x 2 x float> splat (float -3.0), %x
  %d = call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> %x, <vscale x 2 x float> %x, <vscale x 2 x float> splat (float -3.0))
  %ab = fdiv <vscale x 2 x float> %a, %b
  %cd = fdiv <vscale x 2 x float> %c, %d
  %r = fdiv <vscale x 2 x float> %ab, %cd
  ret <vscale x 2 x float> %r
}

; Scalars of scalar instructions are left to LLVM.
; CHECK-LABEL: @scalar(
; CHECK: fadd float %x, -3.000000e+00
define float @scalar(float %x) {
  %a = fmul float %x, 3.0
  %b = fadd float %x, -3.0
  %r = fdiv float %a, %b
  ret float %r
}
