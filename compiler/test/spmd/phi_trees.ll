; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-phi-trees %s | FileCheck %s
; A merge block has 26 edges from a chain of branches: those of the last branch meet first.
; CHECK: .edges
define i32 @f(i32 %x) {
entry:
  br label %test0
test0:
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
  br i1 %c2, label %way2, label %test3
way2:
  br label %join
test3:
  %c3 = icmp eq i32 %x, 3
  br i1 %c3, label %way3, label %test4
way3:
  br label %join
test4:
  %c4 = icmp eq i32 %x, 4
  br i1 %c4, label %way4, label %test5
way4:
  br label %join
test5:
  %c5 = icmp eq i32 %x, 5
  br i1 %c5, label %way5, label %test6
way5:
  br label %join
test6:
  %c6 = icmp eq i32 %x, 6
  br i1 %c6, label %way6, label %test7
way6:
  br label %join
test7:
  %c7 = icmp eq i32 %x, 7
  br i1 %c7, label %way7, label %test8
way7:
  br label %join
test8:
  %c8 = icmp eq i32 %x, 8
  br i1 %c8, label %way8, label %test9
way8:
  br label %join
test9:
  %c9 = icmp eq i32 %x, 9
  br i1 %c9, label %way9, label %test10
way9:
  br label %join
test10:
  %c10 = icmp eq i32 %x, 10
  br i1 %c10, label %way10, label %test11
way10:
  br label %join
test11:
  %c11 = icmp eq i32 %x, 11
  br i1 %c11, label %way11, label %test12
way11:
  br label %join
test12:
  %c12 = icmp eq i32 %x, 12
  br i1 %c12, label %way12, label %test13
way12:
  br label %join
test13:
  %c13 = icmp eq i32 %x, 13
  br i1 %c13, label %way13, label %test14
way13:
  br label %join
test14:
  %c14 = icmp eq i32 %x, 14
  br i1 %c14, label %way14, label %test15
way14:
  br label %join
test15:
  %c15 = icmp eq i32 %x, 15
  br i1 %c15, label %way15, label %test16
way15:
  br label %join
test16:
  %c16 = icmp eq i32 %x, 16
  br i1 %c16, label %way16, label %test17
way16:
  br label %join
test17:
  %c17 = icmp eq i32 %x, 17
  br i1 %c17, label %way17, label %test18
way17:
  br label %join
test18:
  %c18 = icmp eq i32 %x, 18
  br i1 %c18, label %way18, label %test19
way18:
  br label %join
test19:
  %c19 = icmp eq i32 %x, 19
  br i1 %c19, label %way19, label %test20
way19:
  br label %join
test20:
  %c20 = icmp eq i32 %x, 20
  br i1 %c20, label %way20, label %test21
way20:
  br label %join
test21:
  %c21 = icmp eq i32 %x, 21
  br i1 %c21, label %way21, label %test22
way21:
  br label %join
test22:
  %c22 = icmp eq i32 %x, 22
  br i1 %c22, label %way22, label %test23
way22:
  br label %join
test23:
  %c23 = icmp eq i32 %x, 23
  br i1 %c23, label %way23, label %test24
way23:
  br label %join
test24:
  %c24 = icmp eq i32 %x, 24
  br i1 %c24, label %way24, label %way25
way24:
  br label %join
way25:
  br label %join
join:
  %r = phi i32 [ 1, %way0 ], [ 2, %way1 ], [ 3, %way2 ], [ 4, %way3 ], [ 5, %way4 ], [ 6, %way5 ], [ 7, %way6 ], [ 8, %way7 ], [ 9, %way8 ], [ 10, %way9 ], [ 11, %way10 ], [ 12, %way11 ], [ 13, %way12 ], [ 14, %way13 ], [ 15, %way14 ], [ 16, %way15 ], [ 17, %way16 ], [ 18, %way17 ], [ 19, %way18 ], [ 20, %way19 ], [ 21, %way20 ], [ 22, %way21 ], [ 23, %way22 ], [ 24, %way23 ], [ 25, %way24 ], [ 26, %way25 ]
  ret i32 %r
}
