; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-bool-select-combine %s | FileCheck %s
; A choice between 1 and a truth value as a number is one mask. The truth value is frozen: lanes that
; take the constant didn't look at it.
; CHECK-LABEL: @f(
; CHECK-NEXT: [[B:%.*]] = freeze <vscale x 2 x i1> %b
; CHECK-NEXT: [[T:%.*]] = or <vscale x 2 x i1> %a, [[B]]
; CHECK-NEXT: zext <vscale x 2 x i1> [[T]] to <vscale x 2 x i32>
; CHECK-NEXT: ret
define <vscale x 2 x i32> @f(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b) {
  %n = zext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> splat (i32 1), <vscale x 2 x i32> %n
  ret <vscale x 2 x i32> %r
}

; The other three forms, and sign extension, for which -1 is true.
; CHECK-LABEL: @one_or_number(
; CHECK: [[NOT:%.*]] = xor <vscale x 2 x i1> %a, splat (i1 true)
; CHECK: or <vscale x 2 x i1> [[NOT]],
define <vscale x 2 x i32> @one_or_number(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b) {
  %n = zext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %n, <vscale x 2 x i32> splat (i32 1)
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @zero_or_number(
; CHECK: [[NOT:%.*]] = xor <vscale x 2 x i1> %a, splat (i1 true)
; CHECK: and <vscale x 2 x i1> [[NOT]],
define <vscale x 2 x i32> @zero_or_number(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b) {
  %n = zext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> zeroinitializer, <vscale x 2 x i32> %n
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @number_or_zero(
; CHECK-NOT: xor
; CHECK: and <vscale x 2 x i1> %a,
define <vscale x 2 x i32> @number_or_zero(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b) {
  %n = zext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %n, <vscale x 2 x i32> zeroinitializer
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @minus_one(
; CHECK: [[T:%.*]] = or <vscale x 2 x i1> %a,
; CHECK: sext <vscale x 2 x i1> [[T]] to <vscale x 2 x i32>
define <vscale x 2 x i32> @minus_one(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b) {
  %n = sext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> splat (i32 -1), <vscale x 2 x i32> %n
  ret <vscale x 2 x i32> %r
}

; An extension up to a VL stays one, so that vtype does. Added to something, it is one of all lanes,
; which selection folds into an addition under a mask.
; CHECK-LABEL: @counted(
; CHECK: [[T:%.*]] = or <vscale x 2 x i1> %a,
; CHECK: call <vscale x 2 x i32> @llvm.vp.zext.nxv2i32.nxv2i1(<vscale x 2 x i1> [[T]], <vscale x 2 x i1> splat (i1 true), i32 %l)
; CHECK-NOT: select
define <vscale x 2 x i32> @counted(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b, i32 %l) {
  %n = call <vscale x 2 x i32> @llvm.vp.zext.nxv2i32.nxv2i1(<vscale x 2 x i1> %b, <vscale x 2 x i1> splat (i1 true), i32 %l)
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> splat (i32 1), <vscale x 2 x i32> %n
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @counted_and_added(
; CHECK: [[T:%.*]] = or <vscale x 2 x i1> %a,
; CHECK: [[N:%.*]] = zext <vscale x 2 x i1> [[T]] to <vscale x 2 x i32>
; CHECK: add <vscale x 2 x i32> %c, [[N]]
define <vscale x 2 x i32> @counted_and_added(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b, <vscale x 2 x i32> %c, i32 %l) {
  %n = call <vscale x 2 x i32> @llvm.vp.zext.nxv2i32.nxv2i1(<vscale x 2 x i1> %b, <vscale x 2 x i1> splat (i1 true), i32 %l)
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> splat (i32 1), <vscale x 2 x i32> %n
  %s = add <vscale x 2 x i32> %c, %r
  ret <vscale x 2 x i32> %s
}

; Constants that are no truth value of the extension: 2; -1 for zext; 1 for sext.
; CHECK-LABEL: @two(
; CHECK: select
define <vscale x 2 x i32> @two(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b) {
  %n = zext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> splat (i32 2), <vscale x 2 x i32> %n
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @minus_one_or_unsigned(
; CHECK: select
define <vscale x 2 x i32> @minus_one_or_unsigned(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b) {
  %n = zext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> splat (i32 -1), <vscale x 2 x i32> %n
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @one_or_signed(
; CHECK: select
define <vscale x 2 x i32> @one_or_signed(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b) {
  %n = sext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> splat (i32 1), <vscale x 2 x i32> %n
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

; The number has another user, so that the extension stays.
; CHECK-LABEL: @used_again(
; CHECK: select
define <vscale x 2 x i32> @used_again(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b) {
  %n = zext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> splat (i32 1), <vscale x 2 x i32> %n
  %s = mul <vscale x 2 x i32> %r, %n
  ret <vscale x 2 x i32> %s
}

; Scalars, and one condition for all lanes, take no mask.
; CHECK-LABEL: @scalar(
; CHECK: select
define i32 @scalar(i1 %a, i1 %b) {
  %n = zext i1 %b to i32
  %r = select i1 %a, i32 1, i32 %n
  ret i32 %r
}
; CHECK-LABEL: @one_condition(
; CHECK: select
define <vscale x 2 x i32> @one_condition(i1 %a, <vscale x 2 x i1> %b) {
  %n = zext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %r = select i1 %a, <vscale x 2 x i32> splat (i32 1), <vscale x 2 x i32> %n
  ret <vscale x 2 x i32> %r
}

; A choice between two of them is one between masks.
; CHECK-LABEL: @chosen(
; CHECK: [[T:%.*]] = select <vscale x 2 x i1> %a, <vscale x 2 x i1> %b, <vscale x 2 x i1> %c
; CHECK-NEXT: zext <vscale x 2 x i1> [[T]] to <vscale x 2 x i32>
; CHECK-NEXT: ret
define <vscale x 2 x i32> @chosen(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b, <vscale x 2 x i1> %c) {
  %m = zext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %n = zext <vscale x 2 x i1> %c to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %m, <vscale x 2 x i32> %n
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @chosen_counted(
; CHECK: [[T:%.*]] = select <vscale x 2 x i1> %a, <vscale x 2 x i1> %b, <vscale x 2 x i1> %c
; CHECK-NEXT: call <vscale x 2 x i32> @llvm.vp.sext.nxv2i32.nxv2i1(<vscale x 2 x i1> [[T]], <vscale x 2 x i1> splat (i1 true), i32 %l)
; CHECK-NEXT: ret
define <vscale x 2 x i32> @chosen_counted(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b, <vscale x 2 x i1> %c, i32 %l) {
  %m = sext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %n = call <vscale x 2 x i32> @llvm.vp.sext.nxv2i32.nxv2i1(<vscale x 2 x i1> %c, <vscale x 2 x i1> splat (i1 true), i32 %l)
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %m, <vscale x 2 x i32> %n
  ret <vscale x 2 x i32> %r
}
; True is 1 in one and -1 in the other, or one of them stays for another user.
; CHECK-LABEL: @chosen_of_both_signs(
; CHECK: select {{.*}} i32>
define <vscale x 2 x i32> @chosen_of_both_signs(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b, <vscale x 2 x i1> %c) {
  %m = zext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %n = sext <vscale x 2 x i1> %c to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %m, <vscale x 2 x i32> %n
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @chosen_and_used(
; CHECK: select {{.*}} i32>
define <vscale x 2 x i32> @chosen_and_used(<vscale x 2 x i1> %a, <vscale x 2 x i1> %b, <vscale x 2 x i1> %c) {
  %m = zext <vscale x 2 x i1> %b to <vscale x 2 x i32>
  %n = zext <vscale x 2 x i1> %c to <vscale x 2 x i32>
  %r = select <vscale x 2 x i1> %a, <vscale x 2 x i32> %m, <vscale x 2 x i32> %n
  %s = mul <vscale x 2 x i32> %r, %n
  ret <vscale x 2 x i32> %s
}
