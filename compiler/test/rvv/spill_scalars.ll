; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-spill-scalars %s | FileCheck %s
; A loop with 29 scalars, one more than it can keep: one of them is stored before it and loaded where
; it is used.
; RUN: sed 's/%a28 = fmul .*/%a28 = fmul <vscale x 2 x float> %a27, %v27/' %s | %opt -passes=rvl-spill-scalars | FileCheck --check-prefix=FITS %s
; With 28 of them, all stay in registers (loop_scalar_registers).
; FITS-NOT: alloca
; RUN: sed 's/%v28 = shufflevector .*/%v28 = fadd <vscale x 2 x float> %i28, %v/' %s | %opt -passes=rvl-spill-scalars | FileCheck --check-prefix=VECTOR %s
; A vector that is no splat takes no scalar register.
; VECTOR-NOT: alloca
; CHECK: entry:
; CHECK: store float
; CHECK: loop:
; CHECK: load {{.*}}float
; CHECK: br i1
define <vscale x 2 x float> @f(<vscale x 2 x float> %v, i32 %n, float %s0, float %s1, float %s2, float %s3, float %s4, float %s5, float %s6, float %s7, float %s8, float %s9, float %s10, float %s11, float %s12, float %s13, float %s14, float %s15, float %s16, float %s17, float %s18, float %s19, float %s20, float %s21, float %s22, float %s23, float %s24, float %s25, float %s26, float %s27, float %s28) {
entry:
  %i0 = insertelement <vscale x 2 x float> poison, float %s0, i64 0
  %v0 = shufflevector <vscale x 2 x float> %i0, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i1 = insertelement <vscale x 2 x float> poison, float %s1, i64 0
  %v1 = shufflevector <vscale x 2 x float> %i1, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i2 = insertelement <vscale x 2 x float> poison, float %s2, i64 0
  %v2 = shufflevector <vscale x 2 x float> %i2, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i3 = insertelement <vscale x 2 x float> poison, float %s3, i64 0
  %v3 = shufflevector <vscale x 2 x float> %i3, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i4 = insertelement <vscale x 2 x float> poison, float %s4, i64 0
  %v4 = shufflevector <vscale x 2 x float> %i4, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i5 = insertelement <vscale x 2 x float> poison, float %s5, i64 0
  %v5 = shufflevector <vscale x 2 x float> %i5, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i6 = insertelement <vscale x 2 x float> poison, float %s6, i64 0
  %v6 = shufflevector <vscale x 2 x float> %i6, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i7 = insertelement <vscale x 2 x float> poison, float %s7, i64 0
  %v7 = shufflevector <vscale x 2 x float> %i7, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i8 = insertelement <vscale x 2 x float> poison, float %s8, i64 0
  %v8 = shufflevector <vscale x 2 x float> %i8, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i9 = insertelement <vscale x 2 x float> poison, float %s9, i64 0
  %v9 = shufflevector <vscale x 2 x float> %i9, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i10 = insertelement <vscale x 2 x float> poison, float %s10, i64 0
  %v10 = shufflevector <vscale x 2 x float> %i10, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i11 = insertelement <vscale x 2 x float> poison, float %s11, i64 0
  %v11 = shufflevector <vscale x 2 x float> %i11, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i12 = insertelement <vscale x 2 x float> poison, float %s12, i64 0
  %v12 = shufflevector <vscale x 2 x float> %i12, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i13 = insertelement <vscale x 2 x float> poison, float %s13, i64 0
  %v13 = shufflevector <vscale x 2 x float> %i13, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i14 = insertelement <vscale x 2 x float> poison, float %s14, i64 0
  %v14 = shufflevector <vscale x 2 x float> %i14, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i15 = insertelement <vscale x 2 x float> poison, float %s15, i64 0
  %v15 = shufflevector <vscale x 2 x float> %i15, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i16 = insertelement <vscale x 2 x float> poison, float %s16, i64 0
  %v16 = shufflevector <vscale x 2 x float> %i16, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i17 = insertelement <vscale x 2 x float> poison, float %s17, i64 0
  %v17 = shufflevector <vscale x 2 x float> %i17, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i18 = insertelement <vscale x 2 x float> poison, float %s18, i64 0
  %v18 = shufflevector <vscale x 2 x float> %i18, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i19 = insertelement <vscale x 2 x float> poison, float %s19, i64 0
  %v19 = shufflevector <vscale x 2 x float> %i19, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i20 = insertelement <vscale x 2 x float> poison, float %s20, i64 0
  %v20 = shufflevector <vscale x 2 x float> %i20, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i21 = insertelement <vscale x 2 x float> poison, float %s21, i64 0
  %v21 = shufflevector <vscale x 2 x float> %i21, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i22 = insertelement <vscale x 2 x float> poison, float %s22, i64 0
  %v22 = shufflevector <vscale x 2 x float> %i22, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i23 = insertelement <vscale x 2 x float> poison, float %s23, i64 0
  %v23 = shufflevector <vscale x 2 x float> %i23, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i24 = insertelement <vscale x 2 x float> poison, float %s24, i64 0
  %v24 = shufflevector <vscale x 2 x float> %i24, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i25 = insertelement <vscale x 2 x float> poison, float %s25, i64 0
  %v25 = shufflevector <vscale x 2 x float> %i25, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i26 = insertelement <vscale x 2 x float> poison, float %s26, i64 0
  %v26 = shufflevector <vscale x 2 x float> %i26, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i27 = insertelement <vscale x 2 x float> poison, float %s27, i64 0
  %v27 = shufflevector <vscale x 2 x float> %i27, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  %i28 = insertelement <vscale x 2 x float> poison, float %s28, i64 0
  %v28 = shufflevector <vscale x 2 x float> %i28, <vscale x 2 x float> poison, <vscale x 2 x i32> zeroinitializer
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <vscale x 2 x float> [ %v, %entry ], [ %a28, %loop ]
  %a0 = fmul <vscale x 2 x float> %sum, %v0
  %a1 = fmul <vscale x 2 x float> %a0, %v1
  %a2 = fmul <vscale x 2 x float> %a1, %v2
  %a3 = fmul <vscale x 2 x float> %a2, %v3
  %a4 = fmul <vscale x 2 x float> %a3, %v4
  %a5 = fmul <vscale x 2 x float> %a4, %v5
  %a6 = fmul <vscale x 2 x float> %a5, %v6
  %a7 = fmul <vscale x 2 x float> %a6, %v7
  %a8 = fmul <vscale x 2 x float> %a7, %v8
  %a9 = fmul <vscale x 2 x float> %a8, %v9
  %a10 = fmul <vscale x 2 x float> %a9, %v10
  %a11 = fmul <vscale x 2 x float> %a10, %v11
  %a12 = fmul <vscale x 2 x float> %a11, %v12
  %a13 = fmul <vscale x 2 x float> %a12, %v13
  %a14 = fmul <vscale x 2 x float> %a13, %v14
  %a15 = fmul <vscale x 2 x float> %a14, %v15
  %a16 = fmul <vscale x 2 x float> %a15, %v16
  %a17 = fmul <vscale x 2 x float> %a16, %v17
  %a18 = fmul <vscale x 2 x float> %a17, %v18
  %a19 = fmul <vscale x 2 x float> %a18, %v19
  %a20 = fmul <vscale x 2 x float> %a19, %v20
  %a21 = fmul <vscale x 2 x float> %a20, %v21
  %a22 = fmul <vscale x 2 x float> %a21, %v22
  %a23 = fmul <vscale x 2 x float> %a22, %v23
  %a24 = fmul <vscale x 2 x float> %a23, %v24
  %a25 = fmul <vscale x 2 x float> %a24, %v25
  %a26 = fmul <vscale x 2 x float> %a25, %v26
  %a27 = fmul <vscale x 2 x float> %a26, %v27
  %a28 = fmul <vscale x 2 x float> %a27, %v28
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret <vscale x 2 x float> %a28
}
