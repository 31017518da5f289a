; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-split-reductions %s | FileCheck %s
; CHECK: extractelement <2 x i32> %v, i64 0
; CHECK: extractelement <2 x i32> %v, i64 1
; CHECK: or i32
define i32 @f(<2 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.or.v2i32(<2 x i32> %v)
  ret i32 %r
}

; CHECK-LABEL: @sum(
; CHECK-COUNT-3: add i32
; CHECK-NOT: vector.reduce
; CHECK: ret i32
define i32 @sum(<4 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  ret i32 %r
}

; Reductions of floats and of maxima are left alone: nothing makes them of OpenCL C.
; CHECK-LABEL: @maximum(
; CHECK: call i32 @llvm.vector.reduce.smax
define i32 @maximum(<4 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.smax.v4i32(<4 x i32> %v)
  ret i32 %r
}
