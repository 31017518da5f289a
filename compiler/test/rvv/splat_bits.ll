; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-splat-bits %s | FileCheck %s
; CHECK: [[B:%.*]] = bitcast half %x to i16
; CHECK: insertelement <vscale x 4 x i16> poison, i16 [[B]]
define <vscale x 4 x i16> @f(half %x) {
  %v = insertelement <vscale x 4 x half> poison, half %x, i64 0
  %r = bitcast <vscale x 4 x half> %v to <vscale x 4 x i16>
  ret <vscale x 4 x i16> %r
}

; A cast to elements of another size, and one of a fixed vector, stay.
; CHECK-LABEL: @halves(
; CHECK: bitcast <vscale x 4 x i32> %v to <vscale x 8 x i16>
define <vscale x 8 x i16> @halves(i32 %x) {
  %v = insertelement <vscale x 4 x i32> poison, i32 %x, i64 0
  %r = bitcast <vscale x 4 x i32> %v to <vscale x 8 x i16>
  ret <vscale x 8 x i16> %r
}
; CHECK-LABEL: @fixed(
; CHECK: bitcast <4 x half> %v to <4 x i16>
define <4 x i16> @fixed(half %x) {
  %v = insertelement <4 x half> poison, half %x, i64 0
  %r = bitcast <4 x half> %v to <4 x i16>
  ret <4 x i16> %r
}

; So does one of a vector that has other elements.
; CHECK-LABEL: @others(
; CHECK: bitcast <vscale x 4 x half> %v to <vscale x 4 x i16>
define <vscale x 4 x i16> @others(half %x, <vscale x 4 x half> %w) {
  %v = insertelement <vscale x 4 x half> %w, half %x, i64 0
  %r = bitcast <vscale x 4 x half> %v to <vscale x 4 x i16>
  ret <vscale x 4 x i16> %r
}

; Another lane than the first is no splat, but is cast like one; the vector may be used otherwise.
; CHECK-LABEL: @lane(
; CHECK: [[B:%.*]] = bitcast half %x to i16
; CHECK: insertelement <vscale x 4 x i16> poison, i16 [[B]], i64 %lane
; CHECK: ret
define { <vscale x 4 x half>, <vscale x 4 x i16> } @lane(half %x, i64 %lane) {
  %v = insertelement <vscale x 4 x half> poison, half %x, i64 %lane
  %r = bitcast <vscale x 4 x half> %v to <vscale x 4 x i16>
  %a = insertvalue { <vscale x 4 x half>, <vscale x 4 x i16> } poison, <vscale x 4 x half> %v, 0
  %b = insertvalue { <vscale x 4 x half>, <vscale x 4 x i16> } %a, <vscale x 4 x i16> %r, 1
  ret { <vscale x 4 x half>, <vscale x 4 x i16> } %b
}

; Both ways around: the cast need not be one to integers.
; CHECK-LABEL: @to_float(
; CHECK: [[B:%.*]] = bitcast i32 %x to float
; CHECK: insertelement <vscale x 2 x float> poison, float [[B]]
define <vscale x 2 x float> @to_float(i32 %x) {
  %v = insertelement <vscale x 2 x i32> poison, i32 %x, i64 0
  %r = bitcast <vscale x 2 x i32> %v to <vscale x 2 x float>
  ret <vscale x 2 x float> %r
}

; A lane of a vector that was cast is cast itself, where the vector unit has no such elements.
; CHECK-LABEL: @lane_of_cast(
; CHECK: [[V:%.*]] = bitcast <vscale x 2 x i32> %v to <vscale x 4 x i16>
; CHECK: [[B:%.*]] = extractelement <vscale x 4 x i16> [[V]], i64 %lane
; CHECK: bitcast i16 [[B]] to bfloat
define bfloat @lane_of_cast(<vscale x 2 x i32> %v, i64 %lane) {
  %c = bitcast <vscale x 2 x i32> %v to <vscale x 4 x bfloat>
  %r = extractelement <vscale x 4 x bfloat> %c, i64 %lane
  ret bfloat %r
}
; CHECK-LABEL: @lane_where_there_are_bfloats(
; CHECK: extractelement <vscale x 4 x bfloat>
define bfloat @lane_where_there_are_bfloats(<vscale x 2 x i32> %v, i64 %lane) "target-features"="+zvfbfmin" {
  %c = bitcast <vscale x 2 x i32> %v to <vscale x 4 x bfloat>
  %r = extractelement <vscale x 4 x bfloat> %c, i64 %lane
  ret bfloat %r
}
; CHECK-LABEL: @lane_of_floats(
; CHECK: extractelement <vscale x 2 x float>
define float @lane_of_floats(<vscale x 2 x i32> %v, i64 %lane) {
  %c = bitcast <vscale x 2 x i32> %v to <vscale x 2 x float>
  %r = extractelement <vscale x 2 x float> %c, i64 %lane
  ret float %r
}
