; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-field-loads | FileCheck %s
; Two halves of a word at addresses of any distance are one load of it.
; CHECK: load i32, ptr addrspace(1) %first
; CHECK: lshr i32 {{.*}}, 16
define void @f(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %first = getelementptr i32, ptr addrspace(1) %out, i32 %index
  %second = getelementptr i8, ptr addrspace(1) %first, i32 2
  %a = load i16, ptr addrspace(1) %first, align 4
  %b = load i16, ptr addrspace(1) %second, align 4
  %s = add i16 %a, %b
  store i16 %s, ptr addrspace(1) %at
  ret void
}

; Contiguous loads need no word: a vector load takes all lanes.
; CHECK-LABEL: @contiguous(
; CHECK: load i16
; CHECK: load i16
define void @contiguous(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %first = getelementptr i32, ptr addrspace(1) %out, i32 %x
  %second = getelementptr i8, ptr addrspace(1) %first, i32 2
  %a = load i16, ptr addrspace(1) %first, align 4
  %b = load i16, ptr addrspace(1) %second, align 4
  %s = add i16 %a, %b
  store i16 %s, ptr addrspace(1) %p
  ret void
}

; The word might not be aligned.
; CHECK-LABEL: @unaligned(
; CHECK-NOT: lshr
; CHECK: ret void
define void @unaligned(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %first = getelementptr i16, ptr addrspace(1) %out, i32 %index
  %second = getelementptr i8, ptr addrspace(1) %first, i32 2
  %a = load i16, ptr addrspace(1) %first, align 2
  %b = load i16, ptr addrspace(1) %second, align 2
  %s = add i16 %a, %b
  store i16 %s, ptr addrspace(1) %at
  ret void
}

; One field doesn't fill the word.
; CHECK-LABEL: @alone(
; CHECK-NOT: lshr
; CHECK: ret void
define void @alone(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %first = getelementptr i32, ptr addrspace(1) %out, i32 %index
  %a = load i16, ptr addrspace(1) %first, align 4
  store i16 %a, ptr addrspace(1) %at
  ret void
}

; Four bytes are a word as well, whatever the order in which they are used.
; CHECK-LABEL: @bytes(
; CHECK: [[WORD:%.*]] = load i32, ptr addrspace(1) %first, align 8
; CHECK-DAG: lshr i32 [[WORD]], 8
; CHECK-DAG: lshr i32 [[WORD]], 16
; CHECK-DAG: lshr i32 [[WORD]], 24
; CHECK-NOT: load i8
; CHECK: ret void
define void @bytes(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %first = getelementptr i64, ptr addrspace(1) %out, i32 %index
  %p1 = getelementptr i8, ptr addrspace(1) %first, i32 1
  %p2 = getelementptr i8, ptr addrspace(1) %first, i32 2
  %p3 = getelementptr i8, ptr addrspace(1) %first, i32 3
  %a = load i8, ptr addrspace(1) %first, align 8
  %d = load i8, ptr addrspace(1) %p3
  %b = load i8, ptr addrspace(1) %p1
  %c = load i8, ptr addrspace(1) %p2
  %s1 = add i8 %a, %b
  %s2 = add i8 %s1, %c
  %s3 = add i8 %s2, %d
  store i8 %s3, ptr addrspace(1) %at
  ret void
}

; Halves are bits of the word.
; CHECK-LABEL: @halves(
; CHECK: load i32, ptr addrspace(1) %first
; CHECK: bitcast i16 {{.*}} to half
; CHECK: bitcast i16 {{.*}} to half
; CHECK-NOT: load half
; CHECK: ret void
define void @halves(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %first = getelementptr i32, ptr addrspace(1) %out, i32 %index
  %second = getelementptr i8, ptr addrspace(1) %first, i32 2
  %a = load half, ptr addrspace(1) %first, align 4
  %b = load half, ptr addrspace(1) %second
  %s = fadd half %a, %b
  store half %s, ptr addrspace(1) %at
  ret void
}

; Three bytes leave the fourth one, which may belong to another object.
; CHECK-LABEL: @three_bytes(
; CHECK-COUNT-3: load i8
; CHECK-NOT: lshr
; CHECK: ret void
define void @three_bytes(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %first = getelementptr i32, ptr addrspace(1) %out, i32 %index
  %p1 = getelementptr i8, ptr addrspace(1) %first, i32 1
  %p2 = getelementptr i8, ptr addrspace(1) %first, i32 2
  %a = load i8, ptr addrspace(1) %first, align 4
  %b = load i8, ptr addrspace(1) %p1
  %c = load i8, ptr addrspace(1) %p2
  %s1 = add i8 %a, %b
  %s2 = add i8 %s1, %c
  store i8 %s2, ptr addrspace(1) %at
  ret void
}

; The second field may be written between the two loads.
; CHECK-LABEL: @written_between(
; CHECK-NOT: lshr
; CHECK: ret void
define void @written_between(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %first = getelementptr i32, ptr addrspace(1) %out, i32 %index
  %second = getelementptr i8, ptr addrspace(1) %first, i32 2
  %a = load i16, ptr addrspace(1) %first, align 4
  store i16 %a, ptr addrspace(1) %at
  %b = load i16, ptr addrspace(1) %second
  %s = add i16 %a, %b
  store i16 %s, ptr addrspace(1) %at
  ret void
}

; Volatile fields are accessed one by one.
; CHECK-LABEL: @volatile(
; CHECK-COUNT-2: load volatile i16
; CHECK-NOT: lshr
; CHECK: ret void
define void @volatile(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %first = getelementptr i32, ptr addrspace(1) %out, i32 %index
  %second = getelementptr i8, ptr addrspace(1) %first, i32 2
  %a = load volatile i16, ptr addrspace(1) %first, align 4
  %b = load volatile i16, ptr addrspace(1) %second
  %s = add i16 %a, %b
  store i16 %s, ptr addrspace(1) %at
  ret void
}

; CHECK-LABEL: @first_volatile(
; CHECK-NOT: lshr
; CHECK: ret void
define void @first_volatile(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %first = getelementptr i32, ptr addrspace(1) %out, i32 %index
  %second = getelementptr i8, ptr addrspace(1) %first, i32 2
  %a = load volatile i16, ptr addrspace(1) %first, align 4
  %b = load i16, ptr addrspace(1) %second
  %s = add i16 %a, %b
  store i16 %s, ptr addrspace(1) %at
  ret void
}

; A load in another block may run for fewer lanes.
; CHECK-LABEL: @two_blocks(
; CHECK-NOT: lshr
; CHECK: ret void
define void @two_blocks(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %first = getelementptr i32, ptr addrspace(1) %out, i32 %index
  %second = getelementptr i8, ptr addrspace(1) %first, i32 2
  %a = load i16, ptr addrspace(1) %first, align 4
  %c = icmp eq i16 %a, 0
  br i1 %c, label %more, label %end
more:
  %b = load i16, ptr addrspace(1) %second
  store i16 %b, ptr addrspace(1) %at
  br label %end
end:
  ret void
}

; Fields of different types, and fields of 4 bits in bytes, leave gaps.
; CHECK-LABEL: @mixed(
; CHECK-NOT: load i32, ptr addrspace(1) %first
; CHECK: ret void
define void @mixed(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %first = getelementptr i32, ptr addrspace(1) %out, i32 %index
  %second = getelementptr i8, ptr addrspace(1) %first, i32 2
  %a = load i16, ptr addrspace(1) %first, align 4
  %b = load half, ptr addrspace(1) %second
  store i16 %a, ptr addrspace(1) %at
  store half %b, ptr addrspace(1) %at
  ret void
}
; CHECK-LABEL: @nibbles(
; CHECK-COUNT-8: load i4
; CHECK: ret void
define void @nibbles(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %out) {
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %x
  %index = load i32, ptr addrspace(1) %at
  %p0 = getelementptr i32, ptr addrspace(1) %out, i32 %index
  %p1 = getelementptr i8, ptr addrspace(1) %p0, i32 1
  %p2 = getelementptr i8, ptr addrspace(1) %p0, i32 2
  %p3 = getelementptr i8, ptr addrspace(1) %p0, i32 3
  %p4 = getelementptr i8, ptr addrspace(1) %p0, i32 4
  %p5 = getelementptr i8, ptr addrspace(1) %p0, i32 5
  %p6 = getelementptr i8, ptr addrspace(1) %p0, i32 6
  %p7 = getelementptr i8, ptr addrspace(1) %p0, i32 7
  %a0 = load i4, ptr addrspace(1) %p0, align 4
  %a1 = load i4, ptr addrspace(1) %p1
  %a2 = load i4, ptr addrspace(1) %p2
  %a3 = load i4, ptr addrspace(1) %p3
  %a4 = load i4, ptr addrspace(1) %p4
  %a5 = load i4, ptr addrspace(1) %p5
  %a6 = load i4, ptr addrspace(1) %p6
  %a7 = load i4, ptr addrspace(1) %p7
  %s = add i4 %a0, %a7
  store i4 %s, ptr addrspace(1) %at
  ret void
}
