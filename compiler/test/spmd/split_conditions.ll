; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-split-conditions | FileCheck %s
; The uniform part of a condition is a branch that all lanes take alike.
; CHECK: br i1 %uniform, label %entry.and
; CHECK: entry.and:
; CHECK: br i1 %divergent
define void @f(WORK_ITEM, ptr %p, i1 %c, i1 %d) {
entry:
  %uniform = icmp eq i32 %enqueued_size_x, 0
  %divergent = icmp ugt i32 %x, 5
  %both = select i1 %uniform, i1 %divergent, i1 false
  br i1 %both, label %inside, label %end
inside:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

; Nothing is uniform, or everything is: the branch stays.
; CHECK-LABEL: @no_part(
; CHECK-NOT: .and
; CHECK: ret void
define void @no_part(WORK_ITEM, ptr %p) {
entry:
  %one = icmp ugt i32 %y, 7
  %other = icmp ugt i32 %x, 5
  %both = select i1 %one, i1 %other, i1 false
  %also = icmp ult i32 %x, 50
  %all = and i1 %both, %also
  br i1 %also, label %inside, label %end
inside:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

; An or, behind which no code is guarded, can't be split.
; CHECK-LABEL: @either(
; CHECK: br i1 %any, label %inside, label %end
define void @either(WORK_ITEM, ptr %p) {
entry:
  %uniform = icmp eq i32 %enqueued_size_x, 0
  %divergent = icmp ugt i32 %x, 5
  %any = select i1 %uniform, i1 true, i1 %divergent
  br i1 %any, label %inside, label %end
inside:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

; A loop leaves by its uniform part first; the part that comes later in the source is frozen, since it
; may be poison where the first one decides.
; CHECK-LABEL: @loop(
; CHECK: loop.and:
; CHECK-NEXT: br i1 %divergent, label %loop, label %end
; CHECK: loop:
; CHECK: [[F:%.*]] = freeze i1 %uniform
; CHECK: br i1 [[F]], label %loop.and, label %end
define void @loop(WORK_ITEM, ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %divergent = icmp ult i32 %i, %x
  %uniform = icmp ne i32 %i, %enqueued_size_x
  %both = select i1 %divergent, i1 %uniform, i1 false
  br i1 %both, label %loop, label %end
end:
  ret void
}

; The exit of `while (!(u || v))` is the mirrored case.
; CHECK-LABEL: @until(
; CHECK: loop.and:
; CHECK-NEXT: br i1 %divergent, label %end, label %loop
; CHECK: loop:
; CHECK: br i1 %uniform, label %end, label %loop.and
define void @until(WORK_ITEM, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %uniform = icmp eq i32 %i, %enqueued_size_x
  %divergent = icmp ugt i32 %i, %x
  %any = or i1 %uniform, %divergent
  br i1 %any, label %end, label %loop
end:
  ret void
}

; Phis behind the branch get an operand for each of its two edges.
; CHECK-LABEL: @phis(
; CHECK: phi i32 [ 1, %inside ], [ %y, %entry ], [ %y, %entry.and ]
define i32 @phis(WORK_ITEM) {
entry:
  %uniform = icmp eq i32 %enqueued_size_x, 0
  %divergent = icmp ugt i32 %x, 5
  %both = and i1 %uniform, %divergent
  br i1 %both, label %inside, label %end
inside:
  br label %end
end:
  %r = phi i32 [ 1, %inside ], [ %y, %entry ]
  ret i32 %r
}

; Several parts: uniform ones together, the others in their order.
; CHECK-LABEL: @parts(
; CHECK: [[U:%.*]] = select i1 %u1, i1 {{%[0-9]+}}, i1 false
; CHECK: br i1 [[U]], label %entry.and, label %end
; CHECK: entry.and:
; CHECK: [[D:%.*]] = select i1 %d1, i1 %d2, i1 false
; CHECK: br i1 [[D]], label %inside, label %end
define void @parts(WORK_ITEM, ptr %p) {
entry:
  %u1 = icmp eq i32 %enqueued_size_x, 0
  %d1 = icmp ugt i32 %x, 5
  %u2 = icmp ne i32 %global_size_x, 7
  %d2 = icmp ult i32 %x, 50
  %a = select i1 %u1, i1 %d1, i1 false
  %b = select i1 %a, i1 %u2, i1 false
  %c = select i1 %b, i1 %d2, i1 false
  br i1 %c, label %inside, label %end
inside:
  store i32 1, ptr %p
  br label %end
end:
  ret void
}

; Code on both sides of the branch: neither way leads past the other's code.
; CHECK-LABEL: @both_sides(
; CHECK-NOT: .and
; CHECK: ret void
define void @both_sides(WORK_ITEM, ptr %p) {
entry:
  %uniform = icmp eq i32 %enqueued_size_x, 0
  %divergent = icmp ugt i32 %x, 5
  %both = and i1 %uniform, %divergent
  br i1 %both, label %left, label %right
left:
  store i32 1, ptr %p
  br label %end
right:
  store i32 2, ptr %p
  br label %end
end:
  ret void
}

; One target.
; CHECK-LABEL: @one_target(
; CHECK-NOT: .and
; CHECK: ret void
define void @one_target(WORK_ITEM, ptr %p) {
entry:
  %uniform = icmp eq i32 %enqueued_size_x, 0
  %divergent = icmp ugt i32 %x, 5
  %both = and i1 %uniform, %divergent
  br i1 %both, label %end, label %end
end:
  ret void
}
