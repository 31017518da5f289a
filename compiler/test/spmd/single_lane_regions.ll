; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-single-lane-regions | FileCheck %s
; Only work-item 3 gets there: its id is a constant.
; CHECK: inside:
; CHECK: store i32 3, ptr %p
define void @f(WORK_ITEM, ptr %p, i1 %c, i1 %d) {
entry:
  %only = icmp eq i32 %x, 3
  br i1 %only, label %inside, label %end
inside:
  store i32 %x, ptr %p
  br label %end
end:
  ret void
}

; Several work-items get there.
; CHECK-LABEL: @several(
; CHECK: store i32 %x, ptr %p
define void @several(WORK_ITEM, ptr %p) {
entry:
  %some = icmp ult i32 %x, 3
  br i1 %some, label %inside, label %end
inside:
  store i32 %x, ptr %p
  br label %end
end:
  ret void
}

; The block is reached from elsewhere, too.
; CHECK-LABEL: @shared(
; CHECK: store i32 %x, ptr %p
define void @shared(WORK_ITEM, ptr %p, i1 %c) {
entry:
  br i1 %c, label %test, label %inside
test:
  %only = icmp eq i32 %x, 3
  br i1 %only, label %inside, label %end
inside:
  store i32 %x, ptr %p
  br label %end
end:
  ret void
}

; A comparison of y leaves a whole row.
; CHECK-LABEL: @row(
; CHECK: store i32 %y, ptr %p
define void @row(WORK_ITEM, ptr %p) {
entry:
  %only = icmp eq i32 %y, 3
  br i1 %only, label %inside, label %end
inside:
  store i32 %y, ptr %p
  br label %end
end:
  ret void
}

; The other successor of a comparison that isn't equal; what x is computed from, and what is computed
; from x, before the branch.
; CHECK-LABEL: @otherwise(
; CHECK: inside:
; CHECK: %double{{[0-9]*}} = shl i32 7, 1
; CHECK: store i32 %double{{[0-9]+}}, ptr %p
; CHECK: end:
; CHECK: store i32 %double, ptr %p
define void @otherwise(WORK_ITEM, ptr %p) {
entry:
  %double = shl i32 %x, 1
  %others = icmp ne i32 %x, 7
  br i1 %others, label %end, label %inside
inside:
  store i32 %double, ptr %p
  br label %end
end:
  store i32 %double, ptr %p
  ret void
}

; x + 3 == n: x is n - 3. Either part of a condition may say so.
; CHECK-LABEL: @sum(
; CHECK: inside:
; CHECK: [[WIDE:%.*]] = zext i32 %n to i64
; CHECK: [[LESS:%.*]] = sub i64 [[WIDE]], 3
; CHECK: [[X:%.*]] = trunc i64 [[LESS]] to i32
; CHECK: store i32 [[X]], ptr %p
define void @sum(WORK_ITEM, ptr %p, i32 %n, i1 %c) {
entry:
  %sum = add nuw nsw i32 %x, 3
  %only = icmp eq i32 %sum, %n
  %both = select i1 %c, i1 %only, i1 false
  br i1 %both, label %inside, label %end
inside:
  store i32 %x, ptr %p
  br label %end
end:
  ret void
}

; A sum that may wrap, either of two conditions, and a limit that differs between lanes.
; CHECK-LABEL: @wraps(
; CHECK: store i32 %x, ptr %p
define void @wraps(WORK_ITEM, ptr %p, i32 %n) {
entry:
  %sum = add i32 %x, 3
  %only = icmp eq i32 %sum, %n
  br i1 %only, label %inside, label %end
inside:
  store i32 %x, ptr %p
  br label %end
end:
  ret void
}
; CHECK-LABEL: @either(
; CHECK: store i32 %x, ptr %p
define void @either(WORK_ITEM, ptr %p, i1 %c) {
entry:
  %only = icmp eq i32 %x, 3
  %any = select i1 %only, i1 true, i1 %c
  br i1 %any, label %inside, label %end
inside:
  store i32 %x, ptr %p
  br label %end
end:
  ret void
}
; CHECK-LABEL: @loaded(
; CHECK: store i32 %x, ptr %p
define void @loaded(WORK_ITEM, ptr %p) {
entry:
  %at = getelementptr i32, ptr %p, i32 %x
  %limit = load i32, ptr %at
  %only = icmp eq i32 %x, %limit
  br i1 %only, label %inside, label %end
inside:
  store i32 %x, ptr %p
  br label %end
end:
  ret void
}

; Both successors are one block: all work-items get there.
; CHECK-LABEL: @one_target(
; CHECK: store i32 %x, ptr %p
define void @one_target(WORK_ITEM, ptr %p) {
entry:
  %only = icmp eq i32 %x, 3
  br i1 %only, label %inside, label %inside
inside:
  store i32 %x, ptr %p
  ret void
}

; A phi's operand belongs to the edge that it comes by, and a phi behind the region to no region.
; CHECK-LABEL: @phi(
; CHECK: inside:
; CHECK-NEXT: %first = phi i32 [ %x, %entry ]
; CHECK: [[NEXT:%.*]] = add i32 3, 1
; CHECK: %s = phi i32 [ 3, %inside ], [ [[NEXT]], %more ]
; CHECK: %r = phi i32 [ %s, %meet ], [ %x, %entry ], [ %x, %other ]
define i32 @phi(WORK_ITEM, i1 %c, i1 %d) {
entry:
  %next = add i32 %x, 1
  %only = icmp eq i32 %x, 3
  br i1 %only, label %inside, label %end
inside:
  %first = phi i32 [ %x, %entry ]
  br i1 %c, label %more, label %meet
more:
  br i1 %d, label %meet, label %other
meet:
  %s = phi i32 [ %x, %inside ], [ %next, %more ]
  br label %end
other:
  br label %end
end:
  %r = phi i32 [ %s, %meet ], [ %x, %entry ], [ %x, %other ]
  ret i32 %r
}

; Flags that held for all work-items of the branch are dropped, as the value is computed where x is
; known; an access to memory is not repeated.
; CHECK-LABEL: @memory(
; CHECK: inside:
; CHECK-NOT: load
; CHECK: store i32 %v, ptr %p
define void @memory(WORK_ITEM, ptr %p) {
entry:
  %at = getelementptr i32, ptr %p, i32 %x
  %v = load i32, ptr %at
  %only = icmp eq i32 %x, 3
  br i1 %only, label %inside, label %end
inside:
  store i32 %v, ptr %p
  br label %end
end:
  ret void
}
