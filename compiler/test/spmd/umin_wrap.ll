; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-umin-wrap %s | FileCheck %s
; x >= n ? x - n : x is the smaller one of x and x - n.
; CHECK: [[D:%.*]] = sub i32 %x, %n
; CHECK: call i32 @llvm.umin.i32(i32 %x, i32 [[D]])
define i32 @f(i32 %x, i32 %n) {
  %less = icmp ult i32 %x, %n
  %by = select i1 %less, i32 0, i32 %n
  %r = sub i32 %x, %by
  ret i32 %r
}
