; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-split-reductions %s | FileCheck %s
; CHECK: extractelement <2 x i32> %v, i64 0
; CHECK: extractelement <2 x i32> %v, i64 1
; CHECK: or i32
define i32 @f(<2 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.or.v2i32(<2 x i32> %v)
  ret i32 %r
}
