; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-narrow-phis %s | FileCheck %s
; Only the low half of the counter is wanted.
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

; The upper half of what is negative changes, of which flags of a truncation speak.
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

; The upper half is wanted: it is stored, compared, or part of a division.
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
