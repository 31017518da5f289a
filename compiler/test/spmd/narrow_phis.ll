; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-narrow-phis %s | FileCheck %s
; Only the low half of the counter is demanded.
; CHECK: phi i32
; CHECK-NOT: phi i64
define void @f(ptr %p, i64 %start) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %next, %loop ]
  %low = trunc i64 %i to i32
  store volatile i32 %low, ptr %p
  %next = add i64 %i, 1
  %cut = trunc i64 %next to i32
  %again = icmp ult i32 %cut, 100
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Two edges from one block bring one value.
; CHECK-LABEL: @two_edges(
; CHECK: %[[LOW:.*]] = trunc i64 %wide to i32
; CHECK: phi i32 [ %[[LOW]], %entry ], [ %[[LOW]], %entry ],
define void @two_edges(ptr %p, i64 %wide, i32 %which) {
entry:
  switch i32 %which, label %other [ i32 1, label %end
                                    i32 2, label %end ]
other:
  %more = add i64 %wide, 1
  br label %end
end:
  %i = phi i64 [ %wide, %entry ], [ %wide, %entry ], [ %more, %other ]
  %low = trunc i64 %i to i32
  store i32 %low, ptr %p
  ret void
}

; The upper half of a negative number changes, so flags of its truncation don't hold any more.
; CHECK-LABEL: @negative(
; CHECK: phi i32
; CHECK: trunc i64 %sum to i32
define void @negative(ptr %p, i16 %short, i1 %which) {
entry:
  br i1 %which, label %left, label %end
left:
  %wide = sext i16 %short to i64
  br label %end
end:
  %i = phi i64 [ %wide, %left ], [ -5, %entry ]
  %sum = add nsw i64 %i, 3
  %low = trunc nsw i64 %sum to i32
  store i32 %low, ptr %p
  ret void
}

; The upper half is demanded by a store, a comparison or a division.
; CHECK-LABEL: @all_bits(
; CHECK: phi i64
define void @all_bits(ptr %p, i64 %start) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %next, %loop ]
  store volatile i64 %i, ptr %p
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 100
  br i1 %again, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @divided(
; CHECK: phi i64
define i32 @divided(i64 %a, i64 %b, i1 %c) {
entry:
  br i1 %c, label %left, label %end
left:
  br label %end
end:
  %i = phi i64 [ %a, %entry ], [ %b, %left ]
  %q = udiv i64 %i, 3
  %low = trunc i64 %q to i32
  ret i32 %low
}

; Sums of a narrowed phi may wrap now, as its upper half is zero; one with all bits demanded can't see
; that half.
; CHECK-LABEL: @flags(
; CHECK: phi i32
; CHECK: %sum = add i64
; CHECK: %low = and i64
; CHECK: %more = add nuw nsw i64 %low, 7
define i64 @flags(ptr %p, i64 %a, i64 %b, i1 %which) {
entry:
  br i1 %which, label %left, label %end
left:
  br label %end
end:
  %i = phi i64 [ %a, %left ], [ %b, %entry ]
  %sum = add nuw nsw i64 %i, 3
  %low = and i64 %sum, 4294967295
  %more = add nuw nsw i64 %low, 7
  ret i64 %more
}

; The limit: 32 bits are demanded, or 33.
; CHECK-LABEL: @bits_32(
; CHECK: phi i32
define i64 @bits_32(i64 %a, i64 %b, i1 %c) {
entry:
  br i1 %c, label %left, label %end
left:
  br label %end
end:
  %i = phi i64 [ %a, %entry ], [ %b, %left ]
  %low = and i64 %i, 4294967295
  ret i64 %low
}
; CHECK-LABEL: @bits_33(
; CHECK: phi i64
define i64 @bits_33(i64 %a, i64 %b, i1 %c) {
entry:
  br i1 %c, label %left, label %end
left:
  br label %end
end:
  %i = phi i64 [ %a, %entry ], [ %b, %left ]
  %low = and i64 %i, 8589934591
  ret i64 %low
}

; Only integers of 64 bits are narrowed.
; CHECK-LABEL: @other_types(
; CHECK: phi i48
; CHECK: phi double
define i16 @other_types(i48 %a, i48 %b, double %x, double %y, i1 %c, ptr %p) {
entry:
  br i1 %c, label %left, label %end
left:
  br label %end
end:
  %i = phi i48 [ %a, %entry ], [ %b, %left ]
  %d = phi double [ %x, %entry ], [ %y, %left ]
  store double %d, ptr %p
  %low = trunc i48 %i to i16
  ret i16 %low
}

; All bits of an index are demanded.
; CHECK-LABEL: @index(
; CHECK: phi i64
define i32 @index(ptr %p, i64 %a, i64 %b, i1 %c) {
entry:
  br i1 %c, label %left, label %end
left:
  br label %end
end:
  %i = phi i64 [ %a, %entry ], [ %b, %left ]
  %at = getelementptr i32, ptr %p, i64 %i
  %r = load i32, ptr %at
  ret i32 %r
}
