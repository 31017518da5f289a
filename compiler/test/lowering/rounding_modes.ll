; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-rounding-modes %s | FileCheck %s
; A sum with a rounding mode is a call of a function that stays one until lanes are made; one that
; rounds to nearest is an ordinary sum.
; CHECK-LABEL: @f(
; CHECK: call float @rivulet.directed.fadd.rup
; CHECK: fadd float
; CHECK-NOT: call float @llvm.experimental
define float @f(float %a, float %b) strictfp {
  %up = call float @llvm.experimental.constrained.fadd.f32(float %a, float %b, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %near = call float @llvm.experimental.constrained.fadd.f32(float %up, float %b, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  ret float %near
}

; The three modes and five operations have functions of their own; so have types. Half is computed as
; float, and rounded a second time in the same direction.
; CHECK-LABEL: @modes(
; CHECK: call float @rivulet.directed.fsub.rtz.f(
; CHECK: call float @rivulet.directed.fmul.rdn.f(
; CHECK: call double @rivulet.directed.fdiv.rup.d(
; CHECK: call half @rivulet.directed.fadd.rtz.Dh(
; CHECK: call float @rivulet.directed.fmadd.rup.f(
define void @modes(float %a, double %d, half %h) strictfp {
  %s = call float @llvm.experimental.constrained.fsub.f32(float %a, float %a, metadata !"round.towardzero", metadata !"fpexcept.ignore") strictfp
  %m = call float @llvm.experimental.constrained.fmul.f32(float %a, float %a, metadata !"round.downward", metadata !"fpexcept.ignore") strictfp
  %q = call double @llvm.experimental.constrained.fdiv.f64(double %d, double %d, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %t = call half @llvm.experimental.constrained.fadd.f16(half %h, half %h, metadata !"round.towardzero", metadata !"fpexcept.ignore") strictfp
  %f = call float @llvm.experimental.constrained.fmuladd.f32(float %a, float %a, float %a, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  ret void
}

; Vectors are taken apart, comparisons don't round, and conversions that are exact are plain.
; CHECK-LABEL: @others(
; CHECK-COUNT-2: call float @rivulet.directed.fadd.rup.f(
; CHECK: fcmp olt float
; CHECK: sitofp i16 %i to float
; CHECK: call float @_Z17convert_float_rtpi(i32 %j)
; CHECK: call half @_Z16convert_half_rtpf(float %a)
; CHECK: fpext half
; CHECK: fptosi float %a to i32
define void @others(<2 x float> %v, float %a, i16 %i, i32 %j, half %h) strictfp {
  %s = call <2 x float> @llvm.experimental.constrained.fadd.v2f32(<2 x float> %v, <2 x float> %v, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %c = call i1 @llvm.experimental.constrained.fcmp.f32(float %a, float %a, metadata !"olt", metadata !"fpexcept.ignore") strictfp
  %x = call float @llvm.experimental.constrained.sitofp.f32.i16(i16 %i, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %y = call float @llvm.experimental.constrained.sitofp.f32.i32(i32 %j, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %n = call half @llvm.experimental.constrained.fptrunc.f16.f32(float %a, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  %w = call float @llvm.experimental.constrained.fpext.f32.f16(half %h, metadata !"fpexcept.ignore") strictfp
  %k = call i32 @llvm.experimental.constrained.fptosi.i32.f32(float %a, metadata !"fpexcept.ignore") strictfp
  ret void
}

; Functions without a mode of their own stay.
; CHECK-LABEL: @plain(
; CHECK-NEXT: fadd float
define float @plain(float %a) {
  %s = fadd float %a, %a
  ret float %s
}

; CHECK: define internal half @rivulet.directed.fadd.rtz.Dh(
; CHECK: asm "fadd.s $0, $1, $2, rtz"
; CHECK: call half @_Z16convert_half_rtzf(
; CHECK: define internal float @rivulet.directed.fmadd.rup.f(
; CHECK: asm "fmadd.s $0, $1, $2, $3, rup"
; RUN: %opt --target=x86_64 -passes=rvl-rounding-modes %s | FileCheck --check-prefix=HOST %s
; HOST: define internal float @rivulet.directed.fmul.rdn.f({{.*}}) #[[STRICT:[0-9]+]]
; HOST: call void @llvm.set.rounding(i32 3)
; HOST: call float @llvm.experimental.constrained.fmul.f32({{.*}}!"round.dynamic", metadata !"fpexcept.strict")
; HOST: call void @llvm.set.rounding(i32 1)
; HOST: attributes #[[STRICT]] = { strictfp }
