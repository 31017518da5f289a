; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-bool-select-combine %s | FileCheck %s
; A choice between 1 and a truth value as a number is one mask.
; CHECK: [[T:%.*]] = or <vscale x 2 x i1> %a,
; CHECK: zext <vscale x 2 x i1> [[T]] to <vscale x 2 x i32>
; CHECK-NOT: select
define <vscale x 2 x i32> @f(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b) {
  %n = zext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> splat (i32 1), <vscale x 2 x i32> %n
  ret <vscale x 2 x i32> %r
}

; Another constant than 1 is no truth value.
; CHECK-LABEL: @two(
; CHECK: select
define <vscale x 2 x i32> @two(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b) {
  %n = zext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> splat (i32 2), <vscale x 2 x i32> %n
  ret <vscale x 2 x i32> %r
}

; The number is extended from more than one bit.
; CHECK-LABEL: @bytes(
; CHECK: select
define <vscale x 2 x i32> @bytes(<vscale x 2 x i1> %a, <vscale x 2 x i8> %b) {
  %n = zext <vscale x 2 x i8> %b to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> splat (i32 1), <vscale x 2 x i32> %n
  ret <vscale x 2 x i32> %r
}
