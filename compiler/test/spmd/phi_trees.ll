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
