; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-split-bitcasts %s | FileCheck %s
; CHECK-LABEL: @f(
; CHECK-NOT: bitcast <4 x i8>
; CHECK: shl i32 {{.*}}, 24
define i32 @f(<4 x i8> %v) {
  %r = bitcast <4 x i8> %v to i32
  ret i32 %r
}

; From a scalar to a vector.
; CHECK-LABEL: @to_vector(
; CHECK: lshr i32 %x, 16
; CHECK-NOT: bitcast i32 %x to <2 x half>
; CHECK: ret <2 x half>
define <2 x half> @to_vector(i32 %x) {
  %r = bitcast i32 %x to <2 x half>
  ret <2 x half> %r
}

; The scalarizer splits bitcasts between vectors; one between scalars is no matter.
; CHECK-LABEL: @others(
; CHECK: bitcast <4 x i8> %v to <2 x i16>
; CHECK: bitcast float %f to i32
define <2 x i16> @others(<4 x i8> %v, float %f, ptr %p) {
  %r = bitcast <4 x i8> %v to <2 x i16>
  %i = bitcast float %f to i32
  store i32 %i, ptr %p
  ret <2 x i16> %r
}
