; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-rounding-modes %s | FileCheck %s
; A sum with a rounding mode is a call of a function that stays one until lanes are made; one that
; rounds to nearest is an ordinary sum.
; CHECK: call float @rivulet.directed.fadd.rup
; CHECK: fadd float
; CHECK-NOT: call float @llvm.experimental
define float @f(float %a, float %b) strictfp {
  %up = call float @llvm.experimental.constrained.fadd.f32(float %a, float %b, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %near = call float @llvm.experimental.constrained.fadd.f32(float %up, float %b, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  ret float %near
}
