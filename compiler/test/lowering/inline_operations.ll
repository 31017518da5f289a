; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-inline-operations %s | FileCheck %s
; Calls of mul_hi that are left after the work-group pass are written out.
; CHECK: define i32 @f(
; CHECK-NOT: call
; CHECK: mul i64
define i32 @f(i32 %a) {
  %r = call i32 @_Z6mul_hiii(i32 %a, i32 3)
  ret i32 %r
}
define internal i32 @_Z6mul_hiii(i32 %a, i32 %b) {
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %p = mul i64 %x, %y
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}

; So are operations with a rounding mode; other calls stay.
; CHECK: define float @rounded(
; CHECK: asm "fadd.s $0, $1, $2, rup"
; CHECK: call float @other(
define float @rounded(float %a) {
  %r = call float @rivulet.directed.fadd.rup.f(float %a, float %a)
  %s = call float @other(float %r)
  ret float %s
}
define internal float @rivulet.directed.fadd.rup.f(float %a, float %b) noinline {
  %r = call float asm "fadd.s $0, $1, $2, rup", "=f,f,f"(float %a, float %b)
  ret float %r
}
declare float @other(float)

; On the host a function changes the rounding mode, and is called.
; CHECK: define float @on_host(
; CHECK: call float @rivulet.directed.fsub.rup.f(
define float @on_host(float %a) {
  %r = call float @rivulet.directed.fsub.rup.f(float %a, float %a)
  ret float %r
}
define internal float @rivulet.directed.fsub.rup.f(float %a, float %b) noinline strictfp {
  %r = call float @llvm.experimental.constrained.fsub.f32(float %a, float %b, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
  ret float %r
}
