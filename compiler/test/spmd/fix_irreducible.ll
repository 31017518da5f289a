; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-fix-irreducible %s | FileCheck %s
; A cycle with two entries gets one.
; CHECK-LABEL: @two_entries(
; CHECK: irr.guard:
define void @two_entries(i1 %a, i1 %b, ptr %p) {
entry:
  br i1 %a, label %x, label %y
x:
  store volatile i32 1, ptr %p
  br i1 %b, label %y, label %end
y:
  store volatile i32 2, ptr %p
  br label %x
end:
  ret void
}

; %c branches to both entries of the cycle of %a and %b. LLVM's pass alone passes poison to %a where
; control comes from %c, so such edges get blocks of their own.
; CHECK-LABEL: @branch_to_both(
; CHECK: irr.guard:
; CHECK: phi i32 [ 78, %c.b_crit_edge ]
; CHECK: irr.guard1:
; CHECK-SAME: %c.a_crit_edge
; CHECK-NEXT: phi i32 [ 77, %c.a_crit_edge ]
; CHECK: }
define i32 @branch_to_both(i1 %first, i1 %c0, i1 %c1, i1 %c2, i1 %c3, i1 %c4, ptr %p) {
entry:
  br i1 %first, label %a, label %b
a:
  %from.a = phi i32 [ 1, %b ], [ 77, %c ], [ 2, %entry ]
  store volatile i32 %from.a, ptr %p
  br i1 %c0, label %end, label %a.2
a.2:
  br i1 %c1, label %b, label %c
b:
  %from.b = phi i32 [ 3, %entry ], [ 78, %c ], [ 4, %a.2 ]
  store volatile i32 %from.b, ptr %p
  br i1 %c2, label %b.2, label %a
b.2:
  br i1 %c3, label %end, label %c
c:
  br i1 %c4, label %a, label %b
end:
  ret i32 0
}

; A natural loop is left alone, critical edges and all.
; CHECK-LABEL: @natural(
; CHECK-NOT: irr.guard
; CHECK-NOT: crit_edge
; CHECK: }
define void @natural(i1 %a, i1 %b, ptr %p) {
entry:
  br i1 %a, label %loop, label %end
loop:
  store volatile i32 1, ptr %p
  br i1 %b, label %loop, label %end
end:
  ret void
}
