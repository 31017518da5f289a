; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-fmax-as-integer-max %s | FileCheck %s
; A lower bound that lets NaN pass is the maximum of the bits.
; CHECK: call <vscale x 2 x i32> @llvm.smax.nxv2i32(
; CHECK-NOT: select
define <vscale x 2 x float> @f(<vscale x 2 x float> %a, <vscale x 2 x float> %b) {
  %x = fmul <vscale x 2 x float> %a, %b
  %less = fcmp olt <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float 3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}

; A value from memory may be any NaN, with a sign, and chosen by its bits.
; CHECK-LABEL: @loaded(
; CHECK-NOT: smax
; CHECK: select
define <vscale x 2 x float> @loaded(<vscale x 2 x float> %x) {
  %less = fcmp olt <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float 3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}

; x * 1 may be folded to x, whose NaN isn't canonical.
; CHECK-LABEL: @times_one(
; CHECK-NOT: smax
; CHECK: select
define <vscale x 2 x float> @times_one(<vscale x 2 x float> %a) {
  %x = fmul <vscale x 2 x float> %a, splat (float 1.0)
  %less = fcmp olt <vscale x 2 x float> %x, splat (float 3.0)
  %r = select <vscale x 2 x i1> %less, <vscale x 2 x float> splat (float 3.0), <vscale x 2 x float> %x
  ret <vscale x 2 x float> %r
}
