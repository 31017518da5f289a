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

; Reductions whose operation is an intrinsic are left alone: nothing makes them of OpenCL C.
; CHECK-LABEL: @maximum(
; CHECK: call i32 @llvm.vector.reduce.smax
define i32 @maximum(<4 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.smax.v4i32(<4 x i32> %v)
  ret i32 %r
}

; The other kinds, and a single element.
; CHECK-LABEL: @kinds(
; CHECK: and i1
; CHECK: xor i16
; CHECK: mul i64
; CHECK: extractelement <1 x i32> %d, i64 0
; CHECK-NOT: vector.reduce
; CHECK: ret void
define void @kinds(<2 x i1> %a, <2 x i16> %b, <2 x i64> %c, <1 x i32> %d, ptr %p) {
  %ra = call i1 @llvm.vector.reduce.and.v2i1(<2 x i1> %a)
  store i1 %ra, ptr %p
  %rb = call i16 @llvm.vector.reduce.xor.v2i16(<2 x i16> %b)
  store i16 %rb, ptr %p
  %rc = call i64 @llvm.vector.reduce.mul.v2i64(<2 x i64> %c)
  store i64 %rc, ptr %p
  %rd = call i32 @llvm.vector.reduce.add.v1i32(<1 x i32> %d)
  store i32 %rd, ptr %p
  ret void
}

; A sum of floats has an order.
; CHECK-LABEL: @floats(
; CHECK: call float @llvm.vector.reduce.fadd
define float @floats(<2 x float> %v) {
  %r = call float @llvm.vector.reduce.fadd.v2f32(float 0.0, <2 x float> %v)
  ret float %r
}
