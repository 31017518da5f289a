; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-neighbour-indices | FileCheck %s
; The address of the second access is the first one's plus the distance, whatever the order of constants.
; CHECK-LABEL: @pairs(
; CHECK: load float, ptr addrspace(1) %at.2
; CHECK-NEXT: [[SECOND:%.*]] = getelementptr i8, ptr addrspace(1) %at.2, i64 -8
; CHECK-NEXT: load float, ptr addrspace(1) [[SECOND]]
; CHECK: [[THIRD:%.*]] = getelementptr i8, ptr addrspace(1) %at.2, i64 -4
; CHECK-NEXT: store float {{.*}}, ptr addrspace(1) [[THIRD]]
define void @pairs(WORK_ITEM, ptr addrspace(1) %a) {
  %i = mul i32 %x, 3
  %i.2 = add i32 %i, 2
  %wide.2 = zext i32 %i.2 to i64
  %at.2 = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide.2
  %v.2 = load float, ptr addrspace(1) %at.2
  %wide = zext i32 %i to i64
  %at = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide
  %v = load float, ptr addrspace(1) %at
  %sum = fadd float %v, %v.2
  %i.1 = add i32 %i, 1
  %wide.1 = zext i32 %i.1 to i64
  %at.1 = getelementptr inbounds float, ptr addrspace(1) %a, i64 %wide.1
  store float %sum, ptr addrspace(1) %at.1
  ret void
}
; A sum of disjoint bits is a sum.
; CHECK-LABEL: @disjoint(
; CHECK: getelementptr i8, ptr addrspace(3) {{%.*}}, i64 2
define i16 @disjoint(WORK_ITEM, ptr addrspace(3) %a) {
  %i = shl i32 %x, 1
  %wide = zext i32 %i to i64
  %at = getelementptr i16, ptr addrspace(3) %a, i64 %wide
  %v = load i16, ptr addrspace(3) %at
  %i.1 = or disjoint i32 %i, 1
  %wide.1 = zext i32 %i.1 to i64
  %at.1 = getelementptr i16, ptr addrspace(3) %a, i64 %wide.1
  %v.1 = load i16, ptr addrspace(3) %at.1
  %sum = add i16 %v, %v.1
  ret i16 %sum
}
; Nothing is known where the first access may not be executed; of other buffers, elements and indices;
; of constants that are 2^31 apart; of sums of other widths.
; CHECK-LABEL: @near_misses(
; CHECK-NOT: getelementptr i8
; CHECK: ret
define void @near_misses(WORK_ITEM, ptr addrspace(1) %a, ptr addrspace(1) %b, i1 %c, i32 %j) {
entry:
  %i.1 = add i32 %x, 1
  %wide = zext i32 %x to i64
  %wide.1 = zext i32 %i.1 to i64
  %at = getelementptr float, ptr addrspace(1) %a, i64 %wide
  %at.1 = getelementptr float, ptr addrspace(1) %a, i64 %wide.1
  br i1 %c, label %then, label %end
then:
  store float 0.0, ptr addrspace(1) %at
  %in_b = getelementptr float, ptr addrspace(1) %b, i64 %wide.1
  store float 1.0, ptr addrspace(1) %in_b
  %double = getelementptr double, ptr addrspace(1) %a, i64 %wide.1
  store double 1.0, ptr addrspace(1) %double
  %sum = add i32 %x, %j
  %wide.sum = zext i32 %sum to i64
  %at.sum = getelementptr float, ptr addrspace(1) %a, i64 %wide.sum
  store float 2.0, ptr addrspace(1) %at.sum
  %far = add i32 %x, -2147483648
  %wide.far = zext i32 %far to i64
  %at.far = getelementptr float, ptr addrspace(1) %a, i64 %wide.far
  store float 3.0, ptr addrspace(1) %at.far
  %short = trunc i32 %x to i16
  %short.1 = add i16 %short, 1
  %wide.short = zext i16 %short to i64
  %at.short = getelementptr float, ptr addrspace(1) %b, i64 %wide.short
  store float 4.0, ptr addrspace(1) %at.short
  %wide.short.1 = zext i16 %short.1 to i64
  %at.short.1 = getelementptr float, ptr addrspace(1) %b, i64 %wide.short.1
  store float 5.0, ptr addrspace(1) %at.short.1
  br label %end
end:
  store float 6.0, ptr addrspace(1) %at.1
  ret void
}
; In large buffers, two elements may be 2^32 apart.
; CHECK-LABEL: @large(
; CHECK-NOT: getelementptr i8
; CHECK: ret
define void @large(WORK_ITEM, ptr addrspace(1) %a) "rivulet.large-buffers" {
  %wide = zext i32 %x to i64
  %at = getelementptr float, ptr addrspace(1) %a, i64 %wide
  store float 0.0, ptr addrspace(1) %at
  %i.1 = add i32 %x, 1
  %wide.1 = zext i32 %i.1 to i64
  %at.1 = getelementptr float, ptr addrspace(1) %a, i64 %wide.1
  store float 1.0, ptr addrspace(1) %at.1
  ret void
}
