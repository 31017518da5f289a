; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-switch-to-compares %s | FileCheck %s
; A switch of few cases becomes comparisons, one after the other.
; CHECK-LABEL: @f(
; CHECK-NOT: switch
; CHECK: icmp eq i32 %x, 1
; CHECK: icmp eq i32 %x, 5
define void @f(i32 %x, ptr %p) {
entry:
  switch i32 %x, label %end [ i32 1, label %one  i32 5, label %five ]
one:
  store i32 1, ptr %p
  br label %end
five:
  store i32 5, ptr %p
  br label %end
end:
  ret void
}

; The limit: four cases are compared, five are left to a search by halves.
; CHECK-LABEL: @four(
; CHECK-NOT: switch
; CHECK-COUNT-4: icmp eq i32 %x
define i32 @four(i32 %x) {
entry:
  switch i32 %x, label %end [ i32 1, label %a  i32 2, label %b  i32 3, label %a  i32 9, label %b ]
a:
  br label %end
b:
  br label %end
end:
  %r = phi i32 [ 0, %entry ], [ 1, %a ], [ 2, %b ]
  ret i32 %r
}
; CHECK-LABEL: @five(
; CHECK: switch i32 %x
define i32 @five(i32 %x) {
entry:
  switch i32 %x, label %end [ i32 1, label %a  i32 2, label %b  i32 3, label %a  i32 9, label %b  i32 11, label %a ]
a:
  br label %end
b:
  br label %end
end:
  %r = phi i32 [ 0, %entry ], [ 1, %a ], [ 2, %b ]
  ret i32 %r
}

; If nothing else can come, the last case needs no comparison.
; CHECK-LABEL: @complete(
; CHECK: icmp eq i32 %x, 0
; CHECK-NOT: icmp
; CHECK: ret i32
define i32 @complete(i32 %x) {
entry:
  switch i32 %x, label %never [ i32 0, label %a  i32 1, label %end ]
never:
  unreachable
a:
  br label %end
end:
  %r = phi i32 [ 5, %entry ], [ 1, %a ]
  ret i32 %r
}

; Two cases with one successor: its phi gets a value for each edge.
; CHECK-LABEL: @one_successor(
; CHECK: phi i32 [ 7, %{{.*}} ], [ 7, %{{.*}} ], [ 1, %other ]
define i32 @one_successor(i32 %x) {
entry:
  switch i32 %x, label %other [ i32 4, label %end  i32 6, label %end ]
other:
  br label %end
end:
  %r = phi i32 [ 7, %entry ], [ 7, %entry ], [ 1, %other ]
  ret i32 %r
}

; A switch without cases whose default is impossible is left alone: nothing would end the block.
; CHECK-LABEL: @no_case(
; CHECK: br label %never
define i32 @no_case(i32 %x) {
entry:
  switch i32 %x, label %never [ ]
never:
  unreachable
}

; A switch without cases otherwise is a branch.
; CHECK-LABEL: @only_default(
; CHECK-NOT: switch
; CHECK: phi i32 [ 3, %entry ]
define i32 @only_default(i32 %x) {
entry:
  switch i32 %x, label %end [ ]
end:
  %r = phi i32 [ 3, %entry ]
  ret i32 %r
}

; A case may have the default's target, and a loop's header may be a target.
; CHECK-LABEL: @loop(
; CHECK-NOT: switch
; CHECK: phi i32 [ 0, %entry ], [ %next, %{{.*}} ], [ %next, %{{.*}} ]
; CHECK: phi i32 [ %next, %{{.*}} ], [ %next, %{{.*}} ]
define i32 @loop(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ], [ %next, %loop ]
  %next = add i32 %i, 1
  %v = load volatile i32, ptr %p
  switch i32 %v, label %end [ i32 1, label %loop  i32 2, label %loop  i32 3, label %end ]
end:
  %r = phi i32 [ %next, %loop ], [ %next, %loop ]
  ret i32 %r
}
