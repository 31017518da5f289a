; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-integer-demotion %s | FileCheck %s
; Parameter 0 tells lanes apart: what is loaded from there differs between them.

; The mean of two bytes needs nine bits: 16 do.
; CHECK-LABEL: @mean(
; CHECK: add {{.*}}i16
; CHECK: lshr {{.*}}i16
define void @mean(i32 %x, ptr %a, ptr %b, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %bt = getelementptr i8, ptr %b, i32 %x
  %p = load i8, ptr %at
  %q = load i8, ptr %bt
  %u = zext i8 %p to i32
  %v = zext i8 %q to i32
  %s = add nuw nsw i32 %u, %v
  %h = lshr i32 %s, 1
  %t = trunc i32 %h to i8
  store i8 %t, ptr %out
  ret void
}

; Up to 65,535 without a sign: 66 * 255 + 129 * 255 + 25 * 255 is 56,100.
; CHECK-LABEL: @luma(
; CHECK: load
; CHECK-NOT: i32
; CHECK: mul i16 %{{.*}}, 129
; CHECK: lshr i16
; CHECK: ret void
define void @luma(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %bt = getelementptr i8, ptr %at, i64 7
  %p = load i8, ptr %at
  %q = load i8, ptr %bt
  %u = zext i8 %p to i32
  %v = zext i8 %q to i32
  %m = mul i32 %u, 91
  %n = mul i32 %v, 129
  %s = add i32 %m, %n
  %h = lshr i32 %s, 8
  %t = trunc i32 %h to i8
  store i8 %t, ptr %out
  ret void
}

; One more than fits stays: 128 * 255 + 129 * 255 + 1 is 65,536.
; CHECK-LABEL: @too_large(
; CHECK: %h = lshr i32
define void @too_large(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %bt = getelementptr i8, ptr %at, i32 7
  %p = load i8, ptr %at
  %q = load i8, ptr %bt
  %u = zext i8 %p to i32
  %v = zext i8 %q to i32
  %m = mul i32 %u, 128
  %n = mul i32 %v, 129
  %s = add i32 %m, %n
  %s1 = add i32 %s, 1
  %h = lshr i32 %s1, 8
  store i32 %h, ptr %out
  ret void
}

; A weighted mean is no larger than its larger part: 255 * 255 + 128 fits.
; CHECK-LABEL: @blend(
; CHECK: lshr i16
; CHECK-NOT: lshr i32
; CHECK: ret void
define void @blend(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %bt = getelementptr i8, ptr %at, i32 7
  %wt = getelementptr i8, ptr %at, i32 9
  %p = load i8, ptr %at
  %q = load i8, ptr %bt
  %w = load i8, ptr %wt
  %u = zext i8 %p to i32
  %v = zext i8 %q to i32
  %weight = zext i8 %w to i32
  %rest = sub i32 255, %weight
  %m = mul i32 %u, %weight
  %n = mul i32 %rest, %v
  %s = add i32 %m, %n
  %r = add i32 %s, 128
  %h = lshr i32 %r, 8
  %t = trunc i32 %h to i8
  store i8 %t, ptr %out
  ret void
}

; If the weights don't add up to that, the sum may have 17 bits. Its lowest 16 are enough for the
; next 8 bits, but not for the next but one.
; CHECK-LABEL: @sum_of_products(
; CHECK: lshr i16 %{{.*}}, 8
; CHECK: %h9 = lshr i32 %{{.*}}, 9
define void @sum_of_products(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %bt = getelementptr i8, ptr %at, i32 7
  %p = load i8, ptr %at
  %q = load i8, ptr %bt
  %u = zext i8 %p to i32
  %v = zext i8 %q to i32
  %m = mul i32 %u, %v
  %n = mul i32 %v, %v
  %s = add i32 %m, %n
  %h = lshr i32 %s, 8
  %t = trunc i32 %h to i8
  store i8 %t, ptr %out
  %m9 = mul i32 %u, %u
  %s9 = add i32 %m9, %n
  %h9 = lshr i32 %s9, 9
  %t9 = trunc i32 %h9 to i8
  store i8 %t9, ptr %out
  ret void
}

; Only the lowest 16 bits are stored, so the sum may wrap; uniform values and ids are cut. Flags of
; 32 bits say nothing of 16.
; CHECK-LABEL: @modular(
; CHECK-DAG: trunc i32 %k to i16
; CHECK-DAG: trunc i32 %x to i16
; CHECK: mul i16
; CHECK: add i16
; CHECK: ret void
define void @modular(i32 %x, i32 %k, ptr %a, ptr %out) {
  %at = getelementptr i16, ptr %a, i32 %x
  %p = load i16, ptr %at
  %u = zext i16 %p to i32
  %m = mul nsw i32 %u, %k
  %s = add nsw i32 %m, %x
  %t = trunc i32 %s to i16
  store i16 %t, ptr %out
  ret void
}

; A limit that is uniform stays between the least value and one above the largest.
; CHECK-LABEL: @limited(
; CHECK: [[L:%.*]] = call i32 @llvm.smax.i32(i32 %limit, i32 0)
; CHECK: [[M:%.*]] = call i32 @llvm.smin.i32(i32 [[L]], i32 766)
; CHECK: [[T:%.*]] = trunc i32 [[M]] to i16
; CHECK: icmp uge i16 %{{.*}}, [[T]]
; CHECK: ret void
define void @limited(i32 %x, i32 %limit, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %p = load i8, ptr %at
  %u = zext i8 %p to i32
  %m = mul i32 %u, 3
  %c = icmp sge i32 %m, %limit
  %t = select i1 %c, i8 3, i8 4
  store i8 %t, ptr %out
  ret void
}

; All numbers of 16 bits leave no room for a limit that is above all of them.
; CHECK-LABEL: @no_room(
; CHECK: icmp slt i32
define void @no_room(i32 %x, i32 %limit, ptr %a, ptr %out) {
  %at = getelementptr i16, ptr %a, i32 %x
  %p = load i16, ptr %at
  %u = sext i16 %p to i32
  %c = icmp slt i32 %u, %limit
  %t = select i1 %c, i8 3, i8 4
  store i8 %t, ptr %out
  ret void
}

; Division: without a sign as such; -32,768 / -1 is undefined in 16 bits and isn't in 32.
; CHECK-LABEL: @divided(
; CHECK: udiv i16
; CHECK: srem i32
define void @divided(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %p = load i8, ptr %at
  %u = zext i8 %p to i32
  %m = mul i32 %u, 3
  %d = sdiv i32 %m, 7
  %t = trunc i32 %d to i8
  store i8 %t, ptr %out
  %bt = getelementptr i16, ptr %a, i32 %x
  %q = load i16, ptr %bt
  %v = sext i16 %q to i32
  %w = sext i8 %p to i32
  %e = srem i32 %v, %w
  %f = trunc i32 %e to i16
  store i16 %f, ptr %out
  ret void
}

; The largest value so far, through a loop; what is added up over it has no range.
; CHECK-LABEL: @largest(
; CHECK: phi i16
; CHECK: phi i32
; CHECK: @llvm.{{[su]}}max.i16
define void @largest(i32 %x, i32 %n, ptr %a, ptr %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %most = phi i32 [ 0, %entry ], [ %more, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %total, %loop ]
  %index = add i32 %x, %i
  %at = getelementptr i8, ptr %a, i32 %index
  %p = load i8, ptr %at
  %u = zext i8 %p to i32
  %d = mul i32 %u, 3
  %more = call i32 @llvm.smax.i32(i32 %most, i32 %d)
  %total = add i32 %sum, %u
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %h = lshr i32 %more, 2
  %t = trunc i32 %h to i8
  store i8 %t, ptr %out
  store i32 %total, ptr %out
  ret void
}

; What would have to be extended again, and saves no more than one operation, stays.
; CHECK-LABEL: @not_worth_it(
; CHECK: mul i32
define void @not_worth_it(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %p = load i8, ptr %at
  %u = zext i8 %p to i32
  %h = mul i32 %u, 3
  store i32 %h, ptr %out
  ret void
}

; Sums of ids are addresses: they stay wide.
; CHECK-LABEL: @of_ids(
; CHECK: %s = add i32 %x, %k
; CHECK: getelementptr i8, ptr %a, i32 %s
define void @of_ids(i32 %x, i16 %n, ptr %a, ptr %out) {
  %k = zext i16 %n to i32
  %s = add i32 %x, %k
  %at = getelementptr i8, ptr %a, i32 %s
  %p = load i8, ptr %at
  store i8 %p, ptr %out
  ret void
}

; Eight bits, where those are enough.
; CHECK-LABEL: @bytes(
; CHECK: mul i8
; CHECK: xor i8
; CHECK: ret void
define void @bytes(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %p = load i8, ptr %at
  %u = zext i8 %p to i32
  %m = mul i32 %u, %u
  %o = xor i32 %m, %u
  %t = trunc i32 %o to i8
  store i8 %t, ptr %out
  %o2 = add i32 %o, 3
  %t2 = trunc i32 %o2 to i8
  store i8 %t2, ptr %out
  ret void
}

declare i32 @llvm.smax.i32(i32, i32)

; The sum of two shorts needs 17 bits, their minimum 16: with a sign or without.
; CHECK-LABEL: @shorts(
; CHECK: add nsw i32
; CHECK: call i16 @llvm.smin.i16(i16 %p, i16 %q)
; CHECK: call i16 @llvm.umin.i16(i16 %p, i16 %q)
; CHECK: ret void
define void @shorts(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i16, ptr %a, i32 %x
  %bt = getelementptr i16, ptr %at, i64 7
  %p = load i16, ptr %at
  %q = load i16, ptr %bt
  %u = sext i16 %p to i32
  %v = sext i16 %q to i32
  %s = add nsw i32 %u, %v
  store i32 %s, ptr %out
  %m = call i32 @llvm.smin.i32(i32 %u, i32 %v)
  %m1 = trunc i32 %m to i16
  store i16 %m1, ptr %out
  %z = zext i16 %p to i32
  %w = zext i16 %q to i32
  %n = call i32 @llvm.smin.i32(i32 %z, i32 %w)
  %n1 = trunc i32 %n to i16
  store i16 %n1, ptr %out
  ret void
}

; A value with a sign and one that needs all bits without one don't fit in the same way.
; CHECK-LABEL: @mixed(
; CHECK: icmp slt i32
define void @mixed(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i16, ptr %a, i32 %x
  %p = load i16, ptr %at
  %u = sext i16 %p to i32
  %z = zext i16 %p to i32
  %c = icmp slt i32 %u, %z
  store i1 %c, ptr %out
  ret void
}

; A shift by 16 or more is no shift of 16 bits.
; CHECK-LABEL: @shifts(
; CHECK: lshr i16 {{%.*}}, %{{.*}}
; CHECK: lshr i32 {{%.*}}, %{{.*}}
define void @shifts(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %bt = getelementptr i8, ptr %at, i64 7
  %p = load i8, ptr %at
  %q = load i8, ptr %bt
  %u = zext i8 %p to i32
  %m = mul i32 %u, 3
  %v = zext i8 %q to i32
  %by15 = and i32 %v, 15
  %by31 = and i32 %v, 31
  %f = lshr i32 %m, %by15
  %f1 = trunc i32 %f to i8
  store i8 %f1, ptr %out
  %g = lshr i32 %m, %by31
  %g1 = trunc i32 %g to i8
  store i8 %g1, ptr %out
  ret void
}

; |-32768| is a number of 16 bits without a sign.
; CHECK-LABEL: @magnitude(
; CHECK: [[A:%.*]] = call i16 @llvm.abs.i16(i16 %p, i1 false)
; CHECK: icmp ugt i16 [[A]], 999
define void @magnitude(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i16, ptr %a, i32 %x
  %p = load i16, ptr %at
  %u = sext i16 %p to i32
  %m = call i32 @llvm.abs.i32(i32 %u, i1 true)
  %c = icmp sgt i32 %m, 999
  store i1 %c, ptr %out
  ret void
}

; A product of bytes that is only added to ints stays, for vwmacc. One that is stored, too, doesn't.
; CHECK-LABEL: @accumulated(
; CHECK: mul nsw i32
; CHECK: mul i16
; CHECK: mul i16
; CHECK: ret void
define void @accumulated(i32 %x, i32 %sum, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %bt = getelementptr i8, ptr %at, i64 7
  %p = load i8, ptr %at
  %q = load i8, ptr %bt
  %u = sext i8 %p to i32
  %v = sext i8 %q to i32
  %m = mul nsw i32 %u, %v
  %s = add i32 %m, %sum
  store i32 %s, ptr %out
  %v2 = zext i8 %q to i32
  %n = mul nsw i32 %v2, %v2
  %t = add i32 %n, %sum
  store i32 %t, ptr %out
  %o = mul i32 %n, 7
  %n1 = trunc i32 %o to i16
  store i16 %n1, ptr %out
  ret void
}

; From 16 bits, a conversion to float extends itself; from 8 bits it would take two instructions.
; CHECK-LABEL: @converted(
; CHECK: [[S:%.*]] = add i16
; CHECK: sitofp i16 [[S]] to float
define void @converted(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %p = load i8, ptr %at
  %u = zext i8 %p to i32
  %m = and i32 %u, 15
  %s = add i32 %m, -8
  %f = sitofp i32 %s to float
  store float %f, ptr %out
  ret void
}

; Two edges of one block bring one extension to a phi that stays.
; CHECK-LABEL: @two_edges(
; CHECK: [[W:%.*]] = {{[sz]}}ext i16 {{%.*}} to i32
; CHECK-NEXT: switch
; CHECK: phi i32 [ [[W]], %entry ], [ [[W]], %entry ], [ %which, %other ]
define void @two_edges(i32 %x, i32 %which, ptr %a, ptr %out) {
entry:
  %at = getelementptr i8, ptr %a, i32 %x
  %bt = getelementptr i8, ptr %at, i64 7
  %p = load i8, ptr %at
  %q = load i8, ptr %bt
  %u = zext i8 %p to i32
  %v = zext i8 %q to i32
  %s = add i32 %u, %v
  %t = mul i32 %s, 5
  switch i32 %which, label %other [ i32 1, label %end
                                    i32 2, label %end ]
other:
  br label %end
end:
  %r = phi i32 [ %t, %entry ], [ %t, %entry ], [ %which, %other ]
  store i32 %r, ptr %out
  ret void
}

; Users that truncate take what they want of the 16 bits, or of an extension.
; CHECK-LABEL: @truncated(
; CHECK: [[S:%.*]] = mul i16
; CHECK: trunc i16 [[S]] to i8
; CHECK: store i16 [[S]]
; CHECK: zext i16 [[S]] to i17
define void @truncated(i32 %x, ptr %a, ptr %out) {
  %at = getelementptr i8, ptr %a, i32 %x
  %p = load i8, ptr %at
  %u = zext i8 %p to i32
  %r = add i32 %u, 1
  %s = mul i32 %r, %u
  %b = trunc i32 %s to i8
  store i8 %b, ptr %out
  %c = trunc i32 %s to i16
  store i16 %c, ptr %out
  %d = trunc i32 %s to i17
  store i17 %d, ptr %out
  ret void
}

declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.abs.i32(i32, i1)

; An absolute value that is its operand's counterpart, which was made for another graph's cut.
; CHECK-LABEL: @absolute_of_a_cut(
; CHECK-NOT: poison
; CHECK: store i16 [[A:%.*]], ptr %r
; CHECK: store i16 [[A]], ptr %s
define void @absolute_of_a_cut(ptr %p, ptr %q, ptr %r, ptr %s) {
  %pa = load i16, ptr %p
  %pb = load i16, ptr %q
  %a = sext i16 %pa to i32
  %b = sext i16 %pb to i32
  %x = xor i32 %a, %b
  %c = trunc i32 %x to i16
  store i16 %c, ptr %r
  %leaf = zext i16 %c to i32
  %abs = call i32 @llvm.abs.i32(i32 %leaf, i1 true)
  %o = xor i32 %abs, %b
  %t = trunc i32 %abs to i16
  store i16 %t, ptr %s
  ret void
}
