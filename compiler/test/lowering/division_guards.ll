; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-division-guards %s | FileCheck %s
; A division by zero, and one that overflows, give what RISC-V does; the processor divides by 1.
; CHECK: [[ZERO:%.*]] = icmp eq i32 %b, 0
; CHECK: [[BY:%.*]] = select i1 {{.*}}, i32 1, i32 %b
; CHECK: [[QUOTIENT:%.*]] = sdiv i32 %a, [[BY]]
; CHECK: select i1 [[ZERO]], i32 -1, i32
define i32 @f(i32 %a, i32 %b) {
  %q = sdiv i32 %a, %b
  ret i32 %q
}
