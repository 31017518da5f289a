; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-fmax-as-integer-max %s | FileCheck %s
; A lower bound that lets NaN pass is the maximum of the bits.
; CHECK-LABEL: @f(
; CHECK: call <vscale x 2 x i32> @llvm.smax.nxv2i32(
; CHECK-NOT: select
define <vscale x 2 x float> @f(<vscale x 2 x float> %a, <vscale x 2 x float> %b) {
  %x = fmul <vscale x 2 x float> %a, %b
  %less = fcmp olt <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float 3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}

; The select the other way around, and with <=.
; CHECK-LABEL: @inverse(
; CHECK: call <vscale x 2 x i32> @llvm.smax.nxv2i32(
; CHECK-NOT: select
define <vscale x 2 x float> @inverse(<vscale x 2 x float> %a, <vscale x 2 x float> %b) {
  %x = fdiv <vscale x 2 x float> %a, %b
  %more = fcmp uge <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %more, <vscale x 2 x float> %x, <vscale x 2 x float> splat (float 3.0)
  ret <vscale x 2 x float> %r
}
; CHECK-LABEL: @or_equal(
; CHECK: call <vscale x 2 x i64> @llvm.smax.nxv2i64(
; CHECK-NOT: select
define <vscale x 2 x double> @or_equal(<vscale x 2 x double> %a, <vscale x 2 x double> %b, <vscale x 2 x double> %c) {
  %x = call <vscale x 2 x double> @llvm.fma.nxv2f64(<vscale x 2 x double> %a, <vscale x 2 x double> %b, <vscale x 2 x double> %c)
  %less = fcmp ole <vscale x 2 x double> %x, splat (double 0x7FF0000000000000)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x double> splat (double 0x7FF0000000000000), <vscale x 2 x double> %x
  ret <vscale x 2 x double> %r
}

; The bits of negative numbers grow as the numbers fall.
; CHECK-LABEL: @negative(
; CHECK: call <vscale x 2 x i32> @llvm.umin.nxv2i32(
; CHECK-NOT: select
define <vscale x 2 x float> @negative(<vscale x 2 x float> %a, <vscale x 2 x float> %b) {
  %x = fadd <vscale x 2 x float> %a, %b
  %less = fcmp olt <vscale x 2 x float> %x, splat (float -3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float -3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}

; Comparisons that take the bound for a NaN, an upper bound, and zeros: -0 is not below 0.
; CHECK-LABEL: @no_nan(
; CHECK-NOT: bitcast
; CHECK: select
define <vscale x 2 x float> @no_nan(<vscale x 2 x float> %a, <vscale x 2 x float> %b) {
  %x = fmul <vscale x 2 x float> %a, %b
  %less = fcmp ult <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float 3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}
; CHECK-LABEL: @upper(
; CHECK-NOT: bitcast
; CHECK: select
define <vscale x 2 x float> @upper(<vscale x 2 x float> %a, <vscale x 2 x float> %b) {
  %x = fmul <vscale x 2 x float> %a, %b
  %more = fcmp ogt <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %more, <vscale x 2 x float> splat (float 3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}
; CHECK-LABEL: @zero(
; CHECK-NOT: bitcast
; CHECK: select
define <vscale x 2 x float> @zero(<vscale x 2 x float> %a, <vscale x 2 x float> %b) {
  %x = fmul <vscale x 2 x float> %a, %b
  %less = fcmp olt <vscale x 2 x float> %x, zeroinitializer
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> zeroinitializer, <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}
; CHECK-LABEL: @two_bounds(
; CHECK-NOT: bitcast
; CHECK: select
define <vscale x 2 x float> @two_bounds(<vscale x 2 x float> %a, <vscale x 2 x float> %b) {
  %x = fmul <vscale x 2 x float> %a, %b
  %less = fcmp olt <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float 4.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}

; A value from memory, and one whose sign was changed, may be any NaN, with a sign.
; CHECK-LABEL: @loaded(
; CHECK-NOT: smax
; CHECK: select
define <vscale x 2 x float> @loaded(<vscale x 2 x float> %x) {
  %less = fcmp olt <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float 3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}
; CHECK-LABEL: @negated(
; CHECK-NOT: smax
; CHECK: select
define <vscale x 2 x float> @negated(<vscale x 2 x float> %a, <vscale x 2 x float> %b) {
  %product = fmul <vscale x 2 x float> %a, %b
  %x = fneg <vscale x 2 x float> %product
  %less = fcmp olt <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float 3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}

; Operations that LLVM may still fold to their operand, or to its negative, whose NaN isn't canonical.
; CHECK-LABEL: @times_one(
; CHECK-NOT: smax
; CHECK: select
define <vscale x 2 x float> @times_one(<vscale x 2 x float> %a) {
  %x = fmul <vscale x 2 x float> %a, splat (float 1.0)
  %less = fcmp olt <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float 3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}
; CHECK-LABEL: @times_minus_one(
; CHECK-NOT: smax
; CHECK: select
define <vscale x 2 x float> @times_minus_one(<vscale x 2 x float> %a) {
  %x = fmul <vscale x 2 x float> %a, splat (float -1.0)
  %less = fcmp olt <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float 3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}
; CHECK-LABEL: @fma_of_one(
; CHECK-NOT: smax
; CHECK: select
define <vscale x 2 x float> @fma_of_one(<vscale x 2 x float> %a) {
  %x = call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> %a, <vscale x 2 x float> splat (float 1.0), <vscale x 2 x float> splat (float -0.0))
  %less = fcmp olt <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float 3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}
; CHECK-LABEL: @there_and_back(
; CHECK-NOT: smax
; CHECK: select
define <vscale x 2 x float> @there_and_back(<vscale x 2 x float> %a) {
  %wide = fpext <vscale x 2 x float> %a to <vscale x 2 x double>
  %x = fptrunc <vscale x 2 x double> %wide to <vscale x 2 x float>
  %less = fcmp olt <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float 3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}

; A conversion is arithmetic, unless it is a shift: that of bfloat is one without Zvfbfmin.
; CHECK-LABEL: @converted(
; CHECK: smax
define <vscale x 2 x float> @converted(<vscale x 2 x half> %a) {
  %x = fpext <vscale x 2 x half> %a to <vscale x 2 x float>
  %less = fcmp olt <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float 3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}
; CHECK-LABEL: @bfloat(
; CHECK-NOT: smax
; CHECK: select
define <vscale x 2 x float> @bfloat(<vscale x 2 x bfloat> %a) {
  %x = fpext <vscale x 2 x bfloat> %a to <vscale x 2 x float>
  %less = fcmp olt <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float 3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}

; Scalars take fmax.s or a branch.
; CHECK-LABEL: @scalar(
; CHECK-NOT: smax
; CHECK: select
define float @scalar(float %a, float %b) {
  %x = fmul float %a, %b
  %less = fcmp olt float %x, 3.0
  %r = select i1 %less, float 3.0, float %x
  ret float %r
}
