; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-fp-constant-sharing %s | FileCheck %s
; The sum with -3 is the difference from 3, which is in a register anyway.
; CHECK: fsub <vscale x 2 x float> %x, splat (float 3.000000e+00)
define <vscale x 2 x float> @f(<vscale x 2 x float> %x) {
  %a = fmul <vscale x 2 x float> %x, splat (float 3.0)
  %b = fadd <vscale x 2 x float> %x, splat (float -3.0)
  %r = fdiv <vscale x 2 x float> %a, %b
  ret <vscale x 2 x float> %r
}

; Nobody needs the other sign: nothing changes.
; CHECK-LABEL: @one_sign(
; CHECK: fadd <vscale x 2 x float> %x, splat (float -3.000000e+00)
define <vscale x 2 x float> @one_sign(<vscale x 2 x float> %x) {
  %b = fadd <vscale x 2 x float> %x, splat (float -3.0)
  ret <vscale x 2 x float> %b
}
