; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-splat-sinking %s | FileCheck %s
; The splat of another block comes to the maximum, which has a .vf form.
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
