; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-fix-irreducible %s | FileCheck %s
; A cycle with two entries gets one.
; CHECK: irr.guard:
define void @f(i1 %a, i1 %b, ptr %p) {
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
