; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-uniform-trip-count | FileCheck %s
; From id to id + 5: all lanes count from 0 to 5.
; CHECK: icmp slt i64 {{.*}}, 5
define void @f(WORK_ITEM, ptr %p, i1 %c, i1 %d) {
entry:
  %to = add nsw i32 %x, 5
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %to
  br i1 %again, label %loop, label %end
end:
  ret void
}

; The number of iterations differs between lanes.
; CHECK-LABEL: @divergent(
; CHECK-NOT: i64
; CHECK: ret void
define void @divergent(WORK_ITEM, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %x
  br i1 %again, label %loop, label %end
end:
  ret void
}

; A sum that may wrap is no whole number.
; CHECK-LABEL: @wraps(
; CHECK-NOT: i64
; CHECK: ret void
define void @wraps(WORK_ITEM, ptr %p) {
entry:
  %to = add i32 %x, 5
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %to
  br i1 %again, label %loop, label %end
end:
  ret void
}
