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
