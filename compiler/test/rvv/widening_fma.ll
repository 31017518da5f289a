; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-widening-fma %s | FileCheck %s
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "riscv64-unknown-elf"

; Two sums share a factor, as those of jammed rows do; the other factors are scalars, in any order.
; CHECK-LABEL: @shared(
; CHECK-NOT: fpext
; CHECK: %s = call <vscale x 4 x float> @llvm.riscv.vfwmacc.nxv4f32.f16.nxv4f16.i64(<vscale x 4 x float> %c, half %x, <vscale x 4 x half> %v, i64 7, i64 -1, i64 3)
; CHECK: %t = call <vscale x 4 x float> @llvm.riscv.vfwmacc.nxv4f32.f16.nxv4f16.i64(<vscale x 4 x float> %s, half %y, <vscale x 4 x half> %v, i64 7, i64 -1, i64 3)
; CHECK-NEXT: ret
define <vscale x 4 x float> @shared(<vscale x 4 x half> %v, half %x, half %y, <vscale x 4 x float> %c) #0 {
  %e = fpext <vscale x 4 x half> %v to <vscale x 4 x float>
  %a = fpext half %x to float
  %a0 = insertelement <vscale x 4 x float> poison, float %a, i64 0
  %a1 = shufflevector <vscale x 4 x float> %a0, <vscale x 4 x float> poison, <vscale x 4 x i32> zeroinitializer
  %b = fpext half %y to float
  %b0 = insertelement <vscale x 4 x float> poison, float %b, i64 0
  %b1 = shufflevector <vscale x 4 x float> %b0, <vscale x 4 x float> poison, <vscale x 4 x i32> zeroinitializer
  %s = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %a1, <vscale x 4 x float> %e, <vscale x 4 x float> %c)
  %t = call <vscale x 4 x float> @llvm.fmuladd.nxv4f32(<vscale x 4 x float> %e, <vscale x 4 x float> %b1, <vscale x 4 x float> %s)
  ret <vscale x 4 x float> %t
}

; Two vectors, and one times itself, with the lanes that are demanded.
; CHECK-LABEL: @lanes(
; CHECK-NOT: fpext
; CHECK: call <vscale x 4 x float> @llvm.riscv.vfwmacc.nxv4f32.nxv4f16.nxv4f16.i64(<vscale x 4 x float> %c, <vscale x 4 x half> %w, <vscale x 4 x half> %v, i64 7, i64 %n, i64 3)
; CHECK: call <vscale x 4 x float> @llvm.riscv.vfwmacc.nxv4f32.nxv4f16.nxv4f16.i64(<vscale x 4 x float> %s, <vscale x 4 x half> %v, <vscale x 4 x half> %v, i64 7, i64 %n, i64 3)
define void @lanes(<vscale x 4 x half> %v, <vscale x 4 x half> %w, <vscale x 4 x float> %c, ptr %p, i64 %items) #0 {
  %n = call i64 @llvm.riscv.vsetvli.i64(i64 %items, i64 2, i64 1)
  %n32 = trunc i64 %n to i32
  %e = fpext <vscale x 4 x half> %v to <vscale x 4 x float>
  %f = fpext <vscale x 4 x half> %w to <vscale x 4 x float>
  %s = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %e, <vscale x 4 x float> %f, <vscale x 4 x float> %c)
  %t = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %e, <vscale x 4 x float> %e, <vscale x 4 x float> %s)
  call void @llvm.vp.store.nxv4f32.p0(<vscale x 4 x float> %t, ptr %p, <vscale x 4 x i1> splat (i1 true), i32 %n32)
  ret void
}

; A constant that half the width holds, and a negated factor.
; CHECK-LABEL: @constant(
; CHECK: call <vscale x 4 x float> @llvm.riscv.vfwmacc.nxv4f32.f16.nxv4f16.i64(<vscale x 4 x float> %c, half 0xH3E00, <vscale x 4 x half> %v,
; CHECK: call <vscale x 4 x float> @llvm.riscv.vfwnmsac.nxv4f32.nxv4f16.nxv4f16.i64(<vscale x 4 x float> %s, <vscale x 4 x half> %w, <vscale x 4 x half> %v,
; CHECK-NEXT: ret
define <vscale x 4 x float> @constant(<vscale x 4 x half> %v, <vscale x 4 x half> %w, <vscale x 4 x float> %c) #0 {
  %e = fpext <vscale x 4 x half> %v to <vscale x 4 x float>
  %f = fpext <vscale x 4 x half> %w to <vscale x 4 x float>
  %n = fneg <vscale x 4 x float> %e
  %s = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %e, <vscale x 4 x float> splat (float 1.5), <vscale x 4 x float> %c)
  %t = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %n, <vscale x 4 x float> %f, <vscale x 4 x float> %s)
  ret <vscale x 4 x float> %t
}

; CHECK-LABEL: @doubles(
; CHECK: call <vscale x 2 x double> @llvm.riscv.vfwmacc.nxv2f64.nxv2f32.nxv2f32.i64(
define <vscale x 2 x double> @doubles(<vscale x 2 x float> %v, <vscale x 2 x float> %w, <vscale x 2 x double> %c) #0 {
  %e = fpext <vscale x 2 x float> %v to <vscale x 2 x double>
  %f = fpext <vscale x 2 x float> %w to <vscale x 2 x double>
  %s = call <vscale x 2 x double> @llvm.fma.nxv2f64(<vscale x 2 x double> %e, <vscale x 2 x double> %f, <vscale x 2 x double> %c)
  ret <vscale x 2 x double> %s
}

; bfloat has the sum only, not the difference.
; CHECK-LABEL: @bfloats(
; CHECK: call <vscale x 4 x float> @llvm.riscv.vfwmaccbf16.nxv4f32.bf16.nxv4bf16.i64(<vscale x 4 x float> %c, bfloat %x, <vscale x 4 x bfloat> %v,
define <vscale x 4 x float> @bfloats(<vscale x 4 x bfloat> %v, bfloat %x, <vscale x 4 x float> %c) #1 {
  %e = fpext <vscale x 4 x bfloat> %v to <vscale x 4 x float>
  %a = fpext bfloat %x to float
  %a0 = insertelement <vscale x 4 x float> poison, float %a, i64 0
  %a1 = shufflevector <vscale x 4 x float> %a0, <vscale x 4 x float> poison, <vscale x 4 x i32> zeroinitializer
  %s = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %e, <vscale x 4 x float> %a1, <vscale x 4 x float> %c)
  ret <vscale x 4 x float> %s
}
; CHECK-LABEL: @negative_bfloats(
; CHECK-NOT: riscv
; CHECK: ret
define <vscale x 4 x float> @negative_bfloats(<vscale x 4 x bfloat> %v, <vscale x 4 x bfloat> %w, <vscale x 4 x float> %c) #1 {
  %e = fpext <vscale x 4 x bfloat> %v to <vscale x 4 x float>
  %f = fpext <vscale x 4 x bfloat> %w to <vscale x 4 x float>
  %n = fneg <vscale x 4 x float> %f
  %s = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %e, <vscale x 4 x float> %n, <vscale x 4 x float> %c)
  ret <vscale x 4 x float> %s
}

; Zvfhmin extends, but multiplies no halves; nor does Zvfbfmin multiply bfloats.
; CHECK-LABEL: @conversions_only(
; CHECK-NOT: riscv
; CHECK: ret
define <vscale x 4 x float> @conversions_only(<vscale x 4 x half> %v, <vscale x 4 x bfloat> %w, <vscale x 4 x float> %c) #2 {
  %e = fpext <vscale x 4 x half> %v to <vscale x 4 x float>
  %s = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %e, <vscale x 4 x float> %e, <vscale x 4 x float> %c)
  %f = fpext <vscale x 4 x bfloat> %w to <vscale x 4 x float>
  %t = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %f, <vscale x 4 x float> %f, <vscale x 4 x float> %s)
  ret <vscale x 4 x float> %t
}

; A user that needs the wide value, and a multiply-add that adds it: all users keep it, and so do
; those of a factor that meets it in a product.
; CHECK-LABEL: @other_users(
; CHECK-NOT: riscv
; CHECK: ret
define <vscale x 4 x float> @other_users(<vscale x 4 x half> %v, <vscale x 4 x half> %w, <vscale x 4 x half> %u, <vscale x 4 x float> %c) #0 {
  %e = fpext <vscale x 4 x half> %v to <vscale x 4 x float>
  %f = fpext <vscale x 4 x half> %w to <vscale x 4 x float>
  %g = fpext <vscale x 4 x half> %u to <vscale x 4 x float>
  %s = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %e, <vscale x 4 x float> %f, <vscale x 4 x float> %c)
  %t = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %f, <vscale x 4 x float> %g, <vscale x 4 x float> %s)
  %r = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %g, <vscale x 4 x float> %g, <vscale x 4 x float> %t)
  %m = fadd <vscale x 4 x float> %r, %e
  ret <vscale x 4 x float> %m
}
; CHECK-LABEL: @addend(
; CHECK-NOT: riscv
; CHECK: ret
define <vscale x 4 x float> @addend(<vscale x 4 x half> %v, <vscale x 4 x half> %w) #0 {
  %e = fpext <vscale x 4 x half> %v to <vscale x 4 x float>
  %f = fpext <vscale x 4 x half> %w to <vscale x 4 x float>
  %s = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %e, <vscale x 4 x float> %f, <vscale x 4 x float> %e)
  ret <vscale x 4 x float> %s
}
; CHECK-LABEL: @negated_elsewhere(
; CHECK-NOT: riscv
; CHECK: ret
define <vscale x 4 x float> @negated_elsewhere(<vscale x 4 x half> %v, <vscale x 4 x half> %w, <vscale x 4 x float> %c) #0 {
  %e = fpext <vscale x 4 x half> %v to <vscale x 4 x float>
  %f = fpext <vscale x 4 x half> %w to <vscale x 4 x float>
  %n = fneg <vscale x 4 x float> %e
  %s = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %n, <vscale x 4 x float> %f, <vscale x 4 x float> %c)
  %t = fdiv <vscale x 4 x float> %s, %n
  ret <vscale x 4 x float> %t
}

; A constant that half the width rounds, and one that it can't hold.
; CHECK-LABEL: @constants(
; CHECK-NOT: riscv
; CHECK: ret
define <vscale x 4 x float> @constants(<vscale x 4 x half> %v, <vscale x 4 x half> %w, <vscale x 4 x float> %c) #0 {
  %e = fpext <vscale x 4 x half> %v to <vscale x 4 x float>
  %f = fpext <vscale x 4 x half> %w to <vscale x 4 x float>
  %s = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %e, <vscale x 4 x float> splat (float 0x3FB99999A0000000), <vscale x 4 x float> %c)
  %t = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %f, <vscale x 4 x float> splat (float 65536.0), <vscale x 4 x float> %s)
  ret <vscale x 4 x float> %t
}

; Factors of different types, a factor that isn't extended, and a quarter of the width.
; CHECK-LABEL: @types(
; CHECK-NOT: riscv
; CHECK: ret
define <vscale x 4 x float> @types(<vscale x 4 x half> %v, <vscale x 4 x bfloat> %w, <vscale x 4 x float> %c) #1 {
  %e = fpext <vscale x 4 x half> %v to <vscale x 4 x float>
  %f = fpext <vscale x 4 x bfloat> %w to <vscale x 4 x float>
  %s = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %e, <vscale x 4 x float> %f, <vscale x 4 x float> %c)
  ret <vscale x 4 x float> %s
}
; CHECK-LABEL: @wide_factor(
; CHECK-NOT: riscv
; CHECK: ret
define <vscale x 4 x float> @wide_factor(<vscale x 4 x half> %v, <vscale x 4 x float> %c) #0 {
  %e = fpext <vscale x 4 x half> %v to <vscale x 4 x float>
  %s = call <vscale x 4 x float> @llvm.fma.nxv4f32(<vscale x 4 x float> %e, <vscale x 4 x float> %c, <vscale x 4 x float> %c)
  ret <vscale x 4 x float> %s
}
; CHECK-LABEL: @quarter(
; CHECK-NOT: riscv
; CHECK: ret
define <vscale x 2 x double> @quarter(<vscale x 2 x half> %v, <vscale x 2 x double> %c) #0 {
  %e = fpext <vscale x 2 x half> %v to <vscale x 2 x double>
  %s = call <vscale x 2 x double> @llvm.fma.nxv2f64(<vscale x 2 x double> %e, <vscale x 2 x double> %e, <vscale x 2 x double> %c)
  ret <vscale x 2 x double> %s
}

; LMUL 8 is the largest; vectors of fixed length and scalars have no such instruction.
; CHECK-LABEL: @largest(
; CHECK: call <vscale x 16 x float> @llvm.riscv.vfwmacc
define <vscale x 16 x float> @largest(<vscale x 16 x half> %v, <vscale x 16 x float> %c) #0 {
  %e = fpext <vscale x 16 x half> %v to <vscale x 16 x float>
  %s = call <vscale x 16 x float> @llvm.fma.nxv16f32(<vscale x 16 x float> %e, <vscale x 16 x float> %e, <vscale x 16 x float> %c)
  ret <vscale x 16 x float> %s
}
; CHECK-LABEL: @larger(
; CHECK-NOT: riscv
; CHECK: ret
define <vscale x 32 x float> @larger(<vscale x 32 x half> %v, <vscale x 32 x float> %c) #0 {
  %e = fpext <vscale x 32 x half> %v to <vscale x 32 x float>
  %s = call <vscale x 32 x float> @llvm.fma.nxv32f32(<vscale x 32 x float> %e, <vscale x 32 x float> %e, <vscale x 32 x float> %c)
  ret <vscale x 32 x float> %s
}
; CHECK-LABEL: @fixed(
; CHECK-NOT: riscv
; CHECK: ret
define <4 x float> @fixed(<4 x half> %v, <4 x float> %c) #0 {
  %e = fpext <4 x half> %v to <4 x float>
  %s = call <4 x float> @llvm.fma.v4f32(<4 x float> %e, <4 x float> %e, <4 x float> %c)
  ret <4 x float> %s
}
; CHECK-LABEL: @scalars(
; CHECK-NOT: riscv
; CHECK: ret
define float @scalars(half %v, float %c) #0 {
  %e = fpext half %v to float
  %s = call float @llvm.fma.f32(float %e, float %e, float %c)
  ret float %s
}

; A product that rounds before it is added isn't a multiply-add.
; CHECK-LABEL: @rounds_twice(
; CHECK-NOT: riscv
; CHECK: ret
define <vscale x 4 x float> @rounds_twice(<vscale x 4 x half> %v, <vscale x 4 x half> %w, <vscale x 4 x float> %c) #0 {
  %e = fpext <vscale x 4 x half> %v to <vscale x 4 x float>
  %f = fpext <vscale x 4 x half> %w to <vscale x 4 x float>
  %p = fmul <vscale x 4 x float> %e, %f
  %s = fadd <vscale x 4 x float> %p, %c
  ret <vscale x 4 x float> %s
}

attributes #0 = { "target-features"="+64bit,+v,+zve64d,+zvfh,+zvfhmin" }
attributes #1 = { "target-features"="+64bit,+v,+zve64d,+zvfh,+zvfbfmin,+zvfbfwma" }
attributes #2 = { "target-features"="+64bit,+v,+zve64d,+zvfhmin,+zvfbfmin" }
