; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-one-back-edge %s | FileCheck %s
; CHECK: .again:
define void @f(i1 %c, i1 %d, ptr %p) {
entry:
  br label %loop
loop:
  store i32 1, ptr %p
  br i1 %c, label %loop, label %rest
rest:
  br i1 %d, label %loop, label %end
end:
  ret void
}
