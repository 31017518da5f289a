; SPDX-License-Identifier: Apache-2.0
; RUN: not %opt -passes=rvl-check-recursion %s 2>&1 | FileCheck %s
; 6.9.i: recursion is not supported.
; CHECK: error: recursion is not supported in OpenCL C: 'f' calls itself
; RUN: sed 's/i32 @f(i32 %less)/i32 @g(i32 %less)/' %s | not %opt -passes=rvl-check-recursion 2>&1 | FileCheck --check-prefix=MUTUAL %s
; MUTUAL: error: recursion is not supported in OpenCL C: '{{[fg]}}' calls itself
; RUN: sed 's/i32 @f(i32 %less)/i32 @h(i32 %less)/' %s | %opt -passes=rvl-check-recursion | FileCheck --check-prefix=NONE %s
; NONE: define i32 @f(
define i32 @f(i32 %n) {
  %less = sub i32 %n, 1
  %r = call i32 @f(i32 %less)
  ret i32 %r
}
define i32 @g(i32 %n) {
  %r = call i32 @f(i32 %n)
  ret i32 %r
}
; Called twice, but by none of its own callees.
define i32 @h(i32 %n) {
  %a = call i32 @llvm.umax.i32(i32 %n, i32 1)
  %b = call i32 @llvm.umax.i32(i32 %a, i32 2)
  ret i32 %b
}
