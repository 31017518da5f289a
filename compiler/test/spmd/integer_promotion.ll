; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-integer-promotion %s | FileCheck %s
; A sum of 63 bits becomes one of 64, whose highest bit is cleared.
; CHECK-LABEL: @sum(
; CHECK: add i64
; CHECK: and i64 {{.*}}, 9223372036854775807
; CHECK: ret
define i1 @sum(i64 %v, i64 %w) {
  %a = trunc i64 %v to i63
  %b = trunc i64 %w to i63
  %s = add nuw i63 %a, %b
  %c = icmp ugt i63 %s, 5
  ret i1 %c
}

; The limits: 33 bits are promoted, 32 and 64 are widths of their own.
; CHECK-LABEL: @bits33(
; CHECK: [[A:%.*]] = and i64 %v, 8589934591
; CHECK: [[S:%.*]] = lshr i64 [[A]], 1
; CHECK: and i64 [[S]], 8589934591
; CHECK-NOT: i33
define i32 @bits33(i64 %v) {
  %a = trunc i64 %v to i33
  %s = lshr exact i33 %a, 1
  %r = trunc nuw i33 %s to i32
  ret i32 %r
}
; CHECK-LABEL: @others(
; CHECK-NEXT: %a = trunc i64 %v to i32
; CHECK-NEXT: %b = add i32 %a, 1
; CHECK-NEXT: %w = zext i32 %b to i65
; CHECK-NEXT: %s = add i65 %w, 1
; CHECK-NEXT: %r = trunc i65 %s to i64
; CHECK-NEXT: ret i64 %r
define i64 @others(i64 %v) {
  %a = trunc i64 %v to i32
  %b = add i32 %a, 1
  %w = zext i32 %b to i65
  %s = add i65 %w, 1
  %r = trunc i65 %s to i64
  ret i64 %r
}

; Signed operations extend the sign bit of 40 bits first.
; CHECK-LABEL: @signed(
; CHECK: [[UP:%.*]] = shl i64 {{.*}}, 24
; CHECK: [[SIGNED:%.*]] = ashr i64 [[UP]], 24
; CHECK: icmp slt i64 [[SIGNED]], -3
; CHECK: ashr i64 {{.*}}, 2
; CHECK: and i64 {{.*}}, 1099511627775
; CHECK-NOT: i40
define i1 @signed(i64 %v, ptr %p) {
  %a = trunc i64 %v to i40
  %c = icmp slt i40 %a, -3
  %s = ashr i40 %a, 2
  %w = zext i40 %s to i64
  store i64 %w, ptr %p
  ret i1 %c
}

; A comparison without sign takes the values as they are.
; CHECK-LABEL: @unsigned(
; CHECK: [[A:%.*]] = and i64 %v, 1099511627775
; CHECK-NEXT: icmp ult i64 [[A]], 1099511627773
define i1 @unsigned(i64 %v) {
  %a = trunc i64 %v to i40
  %c = icmp ult i40 %a, -3
  ret i1 %c
}

; Poison may freeze to any 64 bits, so the upper ones are cleared after it.
; CHECK-LABEL: @frozen(
; CHECK: [[F:%.*]] = freeze i64
; CHECK: [[A:%.*]] = and i64 [[F]], 1099511627775
; CHECK: icmp ult i64 [[A]], 1099511627775
define i1 @frozen(i64 %v, i64 %by) {
  %a = trunc i64 %v to i40
  %b = trunc i64 %by to i40
  %s = shl i40 %a, %b
  %f = freeze i40 %s
  %c = icmp ult i40 %f, -1
  ret i1 %c
}

; A switch and its cases. Case values are no signed numbers.
; CHECK-LABEL: @chosen(
; CHECK: [[A:%.*]] = and i64 %v, 1099511627775
; CHECK: switch i64 [[A]], label %other [
; CHECK-NEXT: i64 5, label %five
; CHECK-NEXT: i64 1099511627775, label %five
define i32 @chosen(i64 %v) {
entry:
  %a = trunc i64 %v to i40
  switch i40 %a, label %other [ i40 5, label %five
                                i40 -1, label %five ]
five:
  ret i32 5
other:
  ret i32 0
}

; Values around a loop, some of which only use each other: nothing of 40 bits is left.
; CHECK-LABEL: @around(
; CHECK: phi i64
; CHECK-NOT: i40
; CHECK: ret i32
define i32 @around(i64 %v, i32 %n) {
entry:
  %first = trunc i64 %v to i40
  br label %loop
loop:
  %a = phi i40 [ %first, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %odd = trunc i40 %a to i1
  %more = add i40 %a, 7
  %half = lshr i40 %a, 1
  %next = select i1 %odd, i40 %more, i40 %half
  %j = add i32 %i, 1
  %again = icmp ult i32 %j, %n
  br i1 %again, label %loop, label %end
end:
  %r = phi i1 [ %odd, %loop ]
  %w = zext i1 %r to i32
  ret i32 %w
}

; Two edges from one block bring one value.
; CHECK-LABEL: @two_edges(
; CHECK: phi i64 [ [[A:%.*]], %entry ], [ [[A]], %entry ],
; CHECK-NOT: i40
define i64 @two_edges(i64 %v, i32 %which) {
entry:
  %a = trunc i64 %v to i40
  switch i32 %which, label %other [ i32 1, label %end
                                    i32 2, label %end ]
other:
  %b = add i40 %a, 1
  br label %end
end:
  %c = phi i40 [ %a, %entry ], [ %a, %entry ], [ %b, %other ]
  %w = zext i40 %c to i64
  ret i64 %w
}

; An argument, a call and a store keep their types, and get what they need.
; CHECK-LABEL: @outside(
; CHECK: zext i40 %v to i64
; CHECK: add i64
; CHECK: [[C:%.*]] = call i40 @other(i40 %s)
; CHECK: zext i40 [[C]] to i64
; CHECK: store i40 %s, ptr %p
define i1 @outside(i40 %v, ptr %p) {
  %s = add i40 %v, 1
  %c = call i40 @other(i40 %s)
  %d = add i40 %c, %s
  store i40 %s, ptr %p
  %r = icmp eq i40 %d, 0
  ret i1 %r
}
declare i40 @other(i40)
