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

; The scalarizer splits bitcasts between vectors; one between scalars needs no splitting.
; CHECK-LABEL: @others(
; CHECK: bitcast <4 x i8> %v to <2 x i16>
; CHECK: bitcast float %f to i32
define <2 x i16> @others(<4 x i8> %v, float %f, ptr %p) {
  %r = bitcast <4 x i8> %v to <2 x i16>
  %i = bitcast float %f to i32
  store i32 %i, ptr %p
  ret <2 x i16> %r
}

; Element 0 is in the lowest bits, both ways; floats are bits in between.
; CHECK-LABEL: @floats(
; CHECK: [[E:%.*]] = extractelement <2 x float> %v, i64 0
; CHECK: [[B:%.*]] = bitcast float [[E]] to i32
; CHECK: zext i32 [[B]] to i64
; CHECK: shl i64 {{.*}}, 32
; CHECK: bitcast i64 {{.*}} to double
define double @floats(<2 x float> %v) {
  %r = bitcast <2 x float> %v to double
  ret double %r
}

; Bits of a mask.
; CHECK-LABEL: @mask(
; CHECK: zext i1 {{.*}} to i8
; CHECK: shl i8 {{.*}}, 7
; CHECK-NOT: bitcast <8 x i1>
; CHECK: ret i8
define i8 @mask(<8 x i1> %v) {
  %r = bitcast <8 x i1> %v to i8
  ret i8 %r
}

; A vector of one element has no place to shift to.
; CHECK-LABEL: @single(
; CHECK: extractelement <1 x i32> %v, i64 0
; CHECK-NOT: bitcast <1 x i32>
; CHECK: ret i32
define i32 @single(<1 x i32> %v) {
  %r = bitcast <1 x i32> %v to i32
  ret i32 %r
}
