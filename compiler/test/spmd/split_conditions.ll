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
