; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-splat-bits %s | FileCheck %s
; CHECK: [[B:%.*]] = bitcast half %x to i16
; CHECK: insertelement <vscale x 4 x i16> poison, i16 [[B]]
define <vscale x 4 x i16> @f(half %x) {
  %v = insertelement <vscale x 4 x half> poison, half %x, i64 0
  %r = bitcast <vscale x 4 x half> %v to <vscale x 4 x i16>
  ret <vscale x 4 x i16> %r
}
