; SPDX-License-Identifier: Apache-2.0
; RUN: not %opt -passes=rvl-check-recursion %s 2>&1 | FileCheck %s
; 6.9.i: recursion is not supported.
; CHECK: error: recursion is not supported in OpenCL C: 'f' calls itself
define i32 @f(i32 %n) {
  %less = sub i32 %n, 1
  %r = call i32 @f(i32 %less)
  ret i32 %r
}
