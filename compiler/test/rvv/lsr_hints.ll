; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-lsr-hints %s | FileCheck %s
; The start of the loop's addresses is a value, not a sum.
; CHECK-LABEL: @f(
; CHECK: [[START:%.*]] = freeze ptr %start
; CHECK: getelementptr i32, ptr [[START]], i64 %i
define void @f(ptr %p, i64 %from, i64 %n) {
entry:
  %start = getelementptr i32, ptr %p, i64 %from
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %start, i64 %i
  store i32 1, ptr %q
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Two addresses of one start, one of them with an offset that goes into the instruction, share the
; hidden value.
; CHECK-LABEL: @offsets(
; CHECK: %start = getelementptr
; CHECK-NEXT: [[START:%.*]] = freeze ptr %start
; CHECK-NEXT: %behind = getelementptr i8, ptr [[START]], i64 16
; CHECK: getelementptr i32, ptr [[START]], i64 %i
; CHECK-NOT: freeze
define void @offsets(ptr %p, i64 %from, i64 %n) {
entry:
  %start = getelementptr i32, ptr %p, i64 %from
  %behind = getelementptr i8, ptr %start, i64 16
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %start, i64 %i
  store i32 1, ptr %q
  %r = getelementptr i32, ptr %behind, i64 %i
  store i32 2, ptr %r
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; An argument is no sum, with or without an offset; nor is an address outside of loops.
; CHECK-LABEL: @no_sum(
; CHECK-NOT: freeze
; CHECK: ret void
define void @no_sum(ptr %p, i64 %from, i64 %n) {
entry:
  %behind = getelementptr i8, ptr %p, i64 16
  %start = getelementptr i32, ptr %p, i64 %from
  %other = getelementptr i32, ptr %start, i64 %n
  store i32 3, ptr %other
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %behind, i64 %i
  store i32 1, ptr %q
  %r = getelementptr i32, ptr %p, i64 %i
  store i32 2, ptr %r
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Only the inner loop counts: strength reduction begins there.
; CHECK-LABEL: @outer(
; CHECK-NOT: freeze
; CHECK: ret void
define void @outer(ptr %p, i64 %from, i64 %n) {
entry:
  %start = getelementptr i32, ptr %p, i64 %from
  br label %rows
rows:
  %j = phi i64 [ 0, %entry ], [ %j.next, %row.end ]
  %row = getelementptr i32, ptr %start, i64 %j
  store i32 1, ptr %row
  br label %loop
loop:
  %i = phi i64 [ 0, %rows ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %row.end
row.end:
  %j.next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %j.next, %n
  br i1 %more, label %rows, label %end
end:
  ret void
}

; In the loop, %b has two addresses that are a distance away, and %a one: the loop's end is told by %a.
; CHECK-LABEL: @inside(
; CHECK: %a = getelementptr
; CHECK-NOT: freeze
; CHECK: %b = getelementptr
; CHECK-NEXT: [[B:%.*]] = freeze ptr %b
; CHECK: getelementptr i8, ptr %a, i64 %pitch
; CHECK: getelementptr i8, ptr [[B]], i64 %pitch
; CHECK: getelementptr i8, ptr [[B]], i64 %far
define void @inside(ptr %p, ptr %q, i64 %pitch, i64 %far, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i32, ptr %q, i64 %i
  %a1 = getelementptr i8, ptr %a, i64 %pitch
  %b1 = getelementptr i8, ptr %b, i64 %pitch
  %b2 = getelementptr i8, ptr %b, i64 %far
  store i32 1, ptr %a1
  store i32 2, ptr %b1
  store i32 3, ptr %b2
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Three addresses of a private variable leave it to strength reduction, four don't (lsr_hidden_min_uses).
; CHECK-LABEL: @private(
; CHECK: %b = getelementptr
; CHECK-NOT: freeze
; CHECK: %c = getelementptr
; CHECK-NEXT: freeze ptr %c
; CHECK-NOT: freeze
; CHECK: ret void
define void @private(ptr %p, i64 %pitch, i64 %n) {
entry:
  %x = alloca [4096 x i32]
  %y = alloca [4096 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %b = getelementptr i32, ptr %x, i64 %i
  %c = getelementptr i32, ptr %y, i64 %i
  %a1 = getelementptr i8, ptr %a, i64 %pitch
  store i32 1, ptr %a1
  %b1 = getelementptr i8, ptr %b, i64 %pitch
  %b2 = getelementptr i8, ptr %b, i64 %n
  %b3 = getelementptr i32, ptr %b, i64 %n
  store i32 1, ptr %b1
  store i32 2, ptr %b2
  store i32 3, ptr %b3
  %c1 = getelementptr i8, ptr %c, i64 %pitch
  %c2 = getelementptr i8, ptr %c, i64 %n
  %c3 = getelementptr i32, ptr %c, i64 %n
  %c4 = getelementptr i32, ptr %c, i64 %pitch
  store i32 1, ptr %c1
  store i32 2, ptr %c2
  store i32 3, ptr %c3
  store i32 4, ptr %c4
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
