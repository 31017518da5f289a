; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-phi-trees -rvl-phi-tree-min-edges=3 %s | FileCheck %s
; RUN: %opt -passes=rvl-phi-trees %s | FileCheck --check-prefix=USUAL %s
; The usual limit is 24 edges.
; USUAL-NOT: .edges

; A merge block has four edges from a chain of branches: those of the last branch meet first.
; CHECK-LABEL: @four(
; CHECK: phi i32 [ 4, %way3 ], [ 3, %way2 ]
; CHECK: phi i32 [ {{%.*}}, %join.edges ], [ 2, %way1 ]
define i32 @four(i32 %x) {
  %c0 = icmp eq i32 %x, 0
  br i1 %c0, label %way0, label %test1
way0:
  br label %join
test1:
  %c1 = icmp eq i32 %x, 1
  br i1 %c1, label %way1, label %test2
way1:
  br label %join
test2:
  %c2 = icmp eq i32 %x, 2
  br i1 %c2, label %way2, label %way3
way2:
  br label %join
way3:
  br label %join
join:
  %r = phi i32 [ 1, %way0 ], [ 2, %way1 ], [ 3, %way2 ], [ 4, %way3 ]
  ret i32 %r
}

; Three are within the limit.
; CHECK-LABEL: @three(
; CHECK-NOT: .edges
; CHECK: ret i32
define i32 @three(i32 %x) {
  %c0 = icmp eq i32 %x, 0
  br i1 %c0, label %way0, label %test1
way0:
  br label %join
test1:
  %c1 = icmp eq i32 %x, 1
  br i1 %c1, label %way1, label %way2
way1:
  br label %join
way2:
  br label %join
join:
  %r = phi i32 [ 1, %way0 ], [ 2, %way1 ], [ 3, %way2 ]
  ret i32 %r
}

; Several edges of one block, as a switch has them, can't be told apart.
; CHECK-LABEL: @one_block(
; CHECK-NOT: .edges
; CHECK: ret i32
define i32 @one_block(i32 %x) {
entry:
  switch i32 %x, label %other [ i32 1, label %join  i32 2, label %join  i32 3, label %join ]
other:
  br label %join
join:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 4, %other ]
  ret i32 %r
}

; A block without phis has nothing to choose.
; CHECK-LABEL: @no_phi(
; CHECK-NOT: .edges
; CHECK: ret void
define void @no_phi(i32 %x, ptr %p) {
entry:
  switch i32 %x, label %a [ i32 1, label %b  i32 2, label %c  i32 3, label %d ]
a:
  store i32 1, ptr %p
  br label %join
b:
  store i32 2, ptr %p
  br label %join
c:
  store i32 3, ptr %p
  br label %join
d:
  store i32 4, ptr %p
  br label %join
join:
  ret void
}

; A loop header keeps its edges: one comes from outside the loop.
; CHECK-LABEL: @header(
; CHECK-NOT: .edges
; CHECK: ret i32
define i32 @header(i32 %x, i1 %c) {
entry:
  br label %loop
loop:
  %r = phi i32 [ 0, %entry ], [ 1, %way0 ], [ 2, %way1 ], [ 3, %way2 ]
  br i1 %c, label %test0, label %end
test0:
  %c0 = icmp eq i32 %x, 0
  br i1 %c0, label %way0, label %test1
way0:
  br label %loop
test1:
  %c1 = icmp eq i32 %x, 1
  br i1 %c1, label %way1, label %way2
way1:
  br label %loop
way2:
  br label %loop
end:
  ret i32 %r
}

; Edges that leave a loop are not merged with others.
; CHECK-LABEL: @from_loop(
; CHECK-NOT: .edges
; CHECK: ret i32
define i32 @from_loop(i32 %x, i1 %c, i1 %d) {
entry:
  br i1 %c, label %loop, label %way0
loop:
  br i1 %d, label %loop, label %end
way0:
  %c0 = icmp eq i32 %x, 0
  br i1 %c0, label %end, label %way1
way1:
  %c1 = icmp eq i32 %x, 1
  br i1 %c1, label %end, label %way2
way2:
  br label %end
end:
  %r = phi i32 [ 1, %loop ], [ 2, %way0 ], [ 3, %way1 ], [ 4, %way2 ]
  ret i32 %r
}

; One merge block leads to another: both become trees, and the second one takes the first one's result
; as one edge. The blocks that branch have edges themselves.
; CHECK-LABEL: @two_merges(
; CHECK: phi i32 [ 5, %way3 ], [ 4, %way2 ]
; CHECK: phi i32 [ {{%.*}}, %first.edges ], [ 3, %way1 ]
; CHECK: %r = phi i32 [ 2, %way0 ], [ {{%.*}}, %first.edges{{.*}} ]
; CHECK: phi i32 [ 7, %d ], [ 6, %b ]
; CHECK: phi i32 [ {{%.*}}, %second.edges ], [ 5, %a ]
; CHECK: %s = phi i32 [ %r, %first ], [ {{%.*}}, %second.edges{{.*}} ]
define i32 @two_merges(i32 %x, i1 %c) {
entry:
  br i1 %c, label %way0, label %a
way0:
  %c0 = icmp eq i32 %x, 0
  br i1 %c0, label %first, label %way1
way1:
  %c1 = icmp eq i32 %x, 1
  br i1 %c1, label %first, label %way2
way2:
  %c2 = icmp eq i32 %x, 2
  br i1 %c2, label %first, label %way3
way3:
  br label %first
first:
  %r = phi i32 [ 2, %way0 ], [ 3, %way1 ], [ 4, %way2 ], [ 5, %way3 ]
  br label %second
a:
  %c3 = icmp eq i32 %x, 3
  br i1 %c3, label %second, label %b
b:
  %c4 = icmp eq i32 %x, 4
  br i1 %c4, label %second, label %d
d:
  br label %second
second:
  %s = phi i32 [ %r, %first ], [ 5, %a ], [ 6, %b ], [ 7, %d ]
  ret i32 %s
}
