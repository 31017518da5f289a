; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-division-guards %s | FileCheck %s
; A division by zero, and one that overflows, give what RISC-V does; the processor divides by 1.
; CHECK-LABEL: @f(
; CHECK: [[ZERO:%.*]] = icmp eq i32 %b, 0
; CHECK: [[ONES:%.*]] = icmp eq i32 %b, -1
; CHECK: [[TRAPS:%.*]] = or i1 [[ZERO]], [[ONES]]
; CHECK: [[BY:%.*]] = select i1 [[TRAPS]], i32 1, i32 %b
; CHECK: [[QUOTIENT:%.*]] = sdiv i32 %a, [[BY]]
; CHECK: [[NEGATIVE:%.*]] = sub i32 0, %a
; CHECK: [[SIGNED:%.*]] = select i1 [[ONES]], i32 [[NEGATIVE]], i32 [[QUOTIENT]]
; CHECK: [[RESULT:%.*]] = select i1 [[ZERO]], i32 -1, i32 [[SIGNED]]
; CHECK: ret i32 [[RESULT]]
define i32 @f(i32 %a, i32 %b) {
  %q = sdiv i32 %a, %b
  ret i32 %q
}

; A remainder of a division by zero is the dividend; one by -1 is 0, as by 1.
; CHECK-LABEL: @remainder(
; CHECK: [[ZERO:%.*]] = icmp eq i64 %b, 0
; CHECK: icmp eq i64 %b, -1
; CHECK: [[REST:%.*]] = srem i64 %a, %{{.*}}
; CHECK-NEXT: [[RESULT:%.*]] = select i1 [[ZERO]], i64 %a, i64 [[REST]]
; CHECK: ret i64 [[RESULT]]
define i64 @remainder(i64 %a, i64 %b) {
  %r = srem i64 %a, %b
  ret i64 %r
}

; Unsigned divisions don't overflow.
; CHECK-LABEL: @unsigned(
; CHECK-NOT: -1
; CHECK: [[BY:%.*]] = select i1 [[ZERO:%.*]], i8 1, i8 %b
; CHECK: udiv i8 %a, [[BY]]
; CHECK: select i1 [[ZERO]], i8 -1, i8
; CHECK: urem i8 %a,
; CHECK-NEXT: select i1 %{{.*}}, i8 %a, i8
define i8 @unsigned(i8 %a, i8 %b) {
  %q = udiv i8 %a, %b
  %r = urem i8 %a, %b
  %s = add i8 %q, %r
  ret i8 %s
}

; Vectors, element by element.
; CHECK-LABEL: @vectors(
; CHECK: select <4 x i1> %{{.*}}, <4 x i32> splat (i32 1), <4 x i32> %b
; CHECK: sdiv <4 x i32>
define <4 x i32> @vectors(<4 x i32> %a, <4 x i32> %b) {
  %q = sdiv <4 x i32> %a, %b
  ret <4 x i32> %q
}

; A constant other than 0 and -1 never traps, nor do other operations.
; CHECK-LABEL: @seven(
; CHECK-NEXT: sdiv i32 %a, 7
; CHECK-NEXT: fdiv
; CHECK-NEXT: lshr
; CHECK-NEXT: fptosi
; CHECK-NEXT: add
; CHECK-NEXT: add
; CHECK-NEXT: ret
define i32 @seven(i32 %a, float %x, i32 %b) {
  %q = sdiv i32 %a, 7
  %d = fdiv float %x, 0.0
  %s = lshr i32 %a, %b
  %i = fptosi float %d to i32
  %t = add i32 %q, %i
  %u = add i32 %s, %t
  ret i32 %u
}
; CHECK-LABEL: @minus_one(
; CHECK: sdiv i32 %a, 1
; CHECK: sub i32 0, %a
define i32 @minus_one(i32 %a) {
  %q = sdiv i32 %a, -1
  ret i32 %q
}
; CHECK-LABEL: @zero(
; CHECK: udiv i32 %a, 1
; CHECK: select i1 true, i32 -1, i32 %q
define i32 @zero(i32 %a) {
  %q = udiv i32 %a, 0
  ret i32 %q
}
