; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-unnest-selects %s | FileCheck %s
; A choice whose second value is the same in all lanes is merged value by value, if there is a mask of
; lanes in which both conditions hold. The outer condition
; has two uses and is frozen; the inner one may be poison where the outer one is false.
; CHECK-LABEL: @counter(
; CHECK: [[A:%.*]] = freeze <vscale x 2 x i1> %a
; CHECK-NEXT: [[BOTH:%.*]] = select <vscale x 2 x i1> [[A]], <vscale x 2 x i1> %b, <vscale x 2 x i1> zeroinitializer
; CHECK-NEXT: [[FIRST:%.*]] = select <vscale x 2 x i1> [[A]], <vscale x 2 x i32> %y.all, <vscale x 2 x i32> %z
; CHECK-NEXT: %r = select <vscale x 2 x i1> [[BOTH]], <vscale x 2 x i32> %x, <vscale x 2 x i32> [[FIRST]]
; CHECK-NEXT: ret <vscale x 2 x i32> %r
define <vscale x 2 x i32> @counter(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b, <vscale x 2 x i32> %x,
                                   i32 %y, <vscale x 2 x i32> %z, ptr %p) {
  %stay = and <vscale x 2 x i1> %b, %a
  store <vscale x 2 x i1> %stay, ptr %p
  %y.one = insertelement <vscale x 2 x i32> poison, i32 %y, i64 0
  %y.all = shufflevector <vscale x 2 x i32> %y.one, <vscale x 2 x i32> poison, <vscale x 2 x i32> zeroinitializer
  %n = select <vscale x 2 x i1> %b, <vscale x 2 x i32> %x, <vscale x 2 x i32> %y.all
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %n, <vscale x 2 x i32> %z
  ret <vscale x 2 x i32> %r
}

; What isn't poison needs no select, and what isn't undef no freeze. Constants are splats.
; CHECK-LABEL: @defined(
; CHECK: %a = freeze
; CHECK-NEXT: %b = freeze
; CHECK: store
; CHECK-NEXT: [[BOTH:%.*]] = and <vscale x 2 x i1> %a, %b
; CHECK-NEXT: [[FIRST:%.*]] = select <vscale x 2 x i1> %a, <vscale x 2 x float> splat (float 1.000000e+00), <vscale x 2 x float> %z
; CHECK-NEXT: %r = select <vscale x 2 x i1> [[BOTH]], <vscale x 2 x float> %x, <vscale x 2 x float> [[FIRST]]
define <vscale x 2 x float> @defined(<vscale x 2 x i1> %a.any, <vscale x 2 x i1> %b.any,
                                     <vscale x 2 x float> %x, <vscale x 2 x float> %z, ptr %p) {
  %a = freeze <vscale x 2 x i1> %a.any
  %b = freeze <vscale x 2 x i1> %b.any
  %stay = and <vscale x 2 x i1> %a, %b
  store <vscale x 2 x i1> %stay, ptr %p
  %n = select <vscale x 2 x i1> %b, <vscale x 2 x float> %x, <vscale x 2 x float> splat (float 1.0)
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x float> %n, <vscale x 2 x float> %z
  ret <vscale x 2 x float> %r
}

; Nothing changes if the second value is a vector, if the choice has another user, if it is one for all
; lanes, or among masks; or if there is no such mask.
; CHECK-LABEL: @stays(
; CHECK: store
; CHECK-NEXT: %vectors = select <vscale x 2 x i1> %b, <vscale x 2 x i32> splat (i32 1), <vscale x 2 x i32> %x
; CHECK-NEXT: %r1 = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %vectors, <vscale x 2 x i32> %z
; CHECK-NEXT: %used = select <vscale x 2 x i1> %b, <vscale x 2 x i32> %x, <vscale x 2 x i32> splat (i32 1)
; CHECK-NEXT: %r2 = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %used, <vscale x 2 x i32> %z
; CHECK-NEXT: %uniform = select i1 %c, <vscale x 2 x i32> %x, <vscale x 2 x i32> splat (i32 1)
; CHECK-NEXT: %r3 = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %uniform, <vscale x 2 x i32> %z
; CHECK-NEXT: %mask = select <vscale x 2 x i1> %b, <vscale x 2 x i1> %m, <vscale x 2 x i1> splat (i1 true)
; CHECK-NEXT: %r4 = select <vscale x 2 x i1> %a, <vscale x 2 x i1> %mask, <vscale x 2 x i1> %m
; CHECK-NEXT: call void @use(
declare void @use(<vscale x 2 x i32>, <vscale x 2 x i32>, <vscale x 2 x i32>, <vscale x 2 x i32>, <vscale x 2 x i1>)
define void @stays(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b, i1 %c, <vscale x 2 x i32> %x,
                   <vscale x 2 x i32> %z, <vscale x 2 x i1> %m, ptr %p) {
  %both = and <vscale x 2 x i1> %a, %b
  store <vscale x 2 x i1> %both, ptr %p
  %vectors = select <vscale x 2 x i1> %b, <vscale x 2 x i32> splat (i32 1), <vscale x 2 x i32> %x
  %r1 = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %vectors, <vscale x 2 x i32> %z
  %used = select <vscale x 2 x i1> %b, <vscale x 2 x i32> %x, <vscale x 2 x i32> splat (i32 1)
  %r2 = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %used, <vscale x 2 x i32> %z
  %uniform = select i1 %c, <vscale x 2 x i32> %x, <vscale x 2 x i32> splat (i32 1)
  %r3 = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %uniform, <vscale x 2 x i32> %z
  %mask = select <vscale x 2 x i1> %b, <vscale x 2 x i1> %m, <vscale x 2 x i1> splat (i1 true)
  %r4 = select <vscale x 2 x i1> %a, <vscale x 2 x i1> %mask, <vscale x 2 x i1> %m
  call void @use(<vscale x 2 x i32> %r1, <vscale x 2 x i32> %r2, <vscale x 2 x i32> %used, <vscale x 2 x i32> %r3, <vscale x 2 x i1> %r4)
  ret void
}
; CHECK-LABEL: @no_mask(
; CHECK-NEXT: %n = select <vscale x 2 x i1> %b, <vscale x 2 x i32> splat (i32 2), <vscale x 2 x i32> splat (i32 1)
; CHECK-NEXT: %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %n, <vscale x 2 x i32> %z
define <vscale x 2 x i32> @no_mask(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b, <vscale x 2 x i32> %z) {
  %n = select <vscale x 2 x i1> %b, <vscale x 2 x i32> splat (i32 2), <vscale x 2 x i32> splat (i32 1)
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %n, <vscale x 2 x i32> %z
  ret <vscale x 2 x i32> %r
}
