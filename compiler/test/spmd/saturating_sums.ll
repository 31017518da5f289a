; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-saturating-sums %s | FileCheck %s
; Parameter 0 tells lanes apart: what is loaded from there differs between them.

; Three bytes, compared with small numbers: what is 255 or more is neither.
; CHECK-LABEL: @count(
; CHECK: [[S:%.*]] = call i8 @llvm.uadd.sat.i8(i8 %p, i8 %q)
; CHECK: [[T:%.*]] = call i8 @llvm.uadd.sat.i8(i8 [[S]], i8 %r)
; CHECK: icmp eq i8 [[T]], 3
; CHECK: icmp ult i8 [[T]], -1
; CHECK-NOT: i16
; CHECK: ret void
define void @count(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %bt = getelementptr i8, ptr %at, i32 7
  %ct = getelementptr i8, ptr %at, i32 9
  %p = load i8, ptr %at
  %q = load i8, ptr %bt
  %r = load i8, ptr %ct
  %u = zext i8 %p to i16
  %v = zext i8 %q to i16
  %w = zext i8 %r to i16
  %s = add i16 %u, %v
  %t = add i16 %s, %w
  %e = icmp eq i16 %t, 3
  %l = icmp slt i16 %t, 255
  %b = and i1 %e, %l
  store i1 %b, ptr %out
  ret void
}

; 255 can't be told from more than that: neither equality nor "greater" can be asked.
; CHECK-LABEL: @too_large(
; CHECK-NOT: sat
; CHECK: ret void
define void @too_large(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %bt = getelementptr i8, ptr %at, i32 7
  %p = load i8, ptr %at
  %q = load i8, ptr %bt
  %u = zext i8 %p to i16
  %v = zext i8 %q to i16
  %s = add i16 %u, %v
  %e = icmp ugt i16 %s, 255
  store i1 %e, ptr %out
  ret void
}

; Neither may a number without a sign be compared as one with a sign.
; CHECK-LABEL: @negative(
; CHECK-NOT: sat
; CHECK: ret void
define void @negative(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %bt = getelementptr i8, ptr %at, i32 7
  %p = load i8, ptr %at
  %q = load i8, ptr %bt
  %u = zext i8 %p to i16
  %v = zext i8 %q to i16
  %s = add i16 %u, %v
  %e = icmp sgt i16 %s, -1
  store i1 %e, ptr %out
  ret void
}

; A sum with another use needs all of its bits.
; CHECK-LABEL: @stored(
; CHECK-NOT: sat
; CHECK: ret void
define void @stored(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %bt = getelementptr i8, ptr %at, i32 7
  %p = load i8, ptr %at
  %q = load i8, ptr %bt
  %u = zext i8 %p to i16
  %v = zext i8 %q to i16
  %s = add i16 %u, %v
  %e = icmp eq i16 %s, 3
  %t = add i16 %s, 1
  store i16 %t, ptr %out
  store i1 %e, ptr %out
  ret void
}

; 65,535 + a byte wraps; -1 says so, and the sum of a byte and what isn't known.
; CHECK-LABEL: @wraps(
; CHECK-NOT: sat
; CHECK: ret void
define void @wraps(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %p = load i8, ptr %at
  %u = zext i8 %p to i16
  %s = add i16 %u, -1
  %e = icmp eq i16 %s, 3
  store i1 %e, ptr %out
  ret void
}

; Maxima, choices and loops: a loop whose sum doesn't wrap, since its flag says so.
; CHECK-LABEL: @loop(
; CHECK: [[N:%.*]] = phi i8 [ 2, %entry ], [ [[M:%.*]], %body ]
; CHECK: call i8 @llvm.uadd.sat.i8(i8 [[N]], i8
; CHECK: call i8 @llvm.umax.i8(
; CHECK: [[M]] = select i1 {{.*}}, i8 {{.*}}, i8 -1
; CHECK: icmp ugt i8 {{.*}}, 9
define void @loop(i32 %x, i32 %count, ptr %a, ptr %out) {
entry:
  %start = getelementptr i8, ptr %a, i32 %x
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %j, %body ]
  %n = phi i32 [ 2, %entry ], [ %m, %body ]
  %at = getelementptr i8, ptr %start, i32 %i
  %p = load i8, ptr %at
  %u = zext i8 %p to i32
  %s = add nuw i32 %n, %u
  %t = call i32 @llvm.umax.i32(i32 %s, i32 %u)
  %odd = trunc i8 %p to i1
  %m = select i1 %odd, i32 %t, i32 1000
  %j = add i32 %i, 1
  %again = icmp ult i32 %j, %count
  br i1 %again, label %body, label %end
end:
  %e = icmp ugt i32 %m, 9
  store i1 %e, ptr %out
  ret void
}

; Sums of halfwords saturate at 65,535; a byte among them is extended.
; CHECK-LABEL: @halfwords(
; CHECK: [[B:%.*]] = zext i8 %q to i16
; CHECK: call i16 @llvm.uadd.sat.i16(i16 %p, i16 [[B]])
define void @halfwords(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i16, ptr %a, i32 %x
  %p = load i16, ptr %at
  %q = load i8, ptr %at
  %u = zext i16 %p to i32
  %v = zext i8 %q to i32
  %s = add i32 %u, %v
  %e = icmp ult i32 %s, 1000
  store i1 %e, ptr %out
  ret void
}

; Counts of truths only, and what is the same for all lanes, stay as they are.
; CHECK-LABEL: @truths(
; CHECK-NOT: sat
; CHECK: ret void
define void @truths(i32 %x, ptr %a, i8 %same, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %p = load i8, ptr %at
  %b = icmp ugt i8 %p, 3
  %c = icmp ugt i8 %p, 9
  %u = zext i1 %b to i16
  %v = zext i1 %c to i16
  %s = add i16 %u, %v
  %e = icmp eq i16 %s, 1
  store i1 %e, ptr %out
  %w = zext i8 %same to i16
  %t = add i16 %w, 9
  %f = icmp eq i16 %t, 20
  store i1 %f, ptr %out
  ret void
}
declare i32 @llvm.umax.i32(i32, i32)
