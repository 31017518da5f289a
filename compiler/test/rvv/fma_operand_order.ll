; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-fma-operand-order %s | FileCheck %s
; The factor without other uses comes second: code generation overwrites that one.
; CHECK: call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> %a, <vscale x 2 x float> %one,
define <vscale x 2 x float> @f(<vscale x 2 x float> %a, <vscale x 2 x float> %b, <vscale x 2 x float> %c) {
  %one = fadd <vscale x 2 x float> %b, %c
  %r = call <vscale x 2 x float> @llvm.fma.nxv2f32(<vscale x 2 x float> %one, <vscale x 2 x float> %a, <vscale x 2 x float> %c)
  ret <vscale x 2 x float> %r
}
