; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-spill-vectors %s | FileCheck %s
; Five quotients of eight registers each live until their sum is known: some go to the stack.
; CHECK: alloca {{.*}}!rivulet.spilled
; CHECK: fdiv
define void @f(ptr %in, ptr noalias %out, i32 %n) {
  %p0 = getelementptr i8, ptr %in, i64 0
  %q0 = getelementptr i8, ptr %in, i64 65536
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %b0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %q0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d0 = fdiv <vscale x 16 x float> %a0, %b0
  %p1 = getelementptr i8, ptr %in, i64 4096
  %q1 = getelementptr i8, ptr %in, i64 69632
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %b1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %q1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d1 = fdiv <vscale x 16 x float> %a1, %b1
  %p2 = getelementptr i8, ptr %in, i64 8192
  %q2 = getelementptr i8, ptr %in, i64 73728
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %b2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %q2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d2 = fdiv <vscale x 16 x float> %a2, %b2
  %p3 = getelementptr i8, ptr %in, i64 12288
  %q3 = getelementptr i8, ptr %in, i64 77824
  %a3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %b3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %q3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d3 = fdiv <vscale x 16 x float> %a3, %b3
  %p4 = getelementptr i8, ptr %in, i64 16384
  %q4 = getelementptr i8, ptr %in, i64 81920
  %a4 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %b4 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %q4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d4 = fdiv <vscale x 16 x float> %a4, %b4
  %s1 = fadd <vscale x 16 x float> %d0, %d1
  %s2 = fadd <vscale x 16 x float> %s1, %d2
  %s3 = fadd <vscale x 16 x float> %s2, %d3
  %s4 = fadd <vscale x 16 x float> %s3, %d4
  %m0 = fmul <vscale x 16 x float> %d0, %s4
  %o0 = getelementptr i8, ptr %out, i64 0
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m0, ptr %o0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m1 = fmul <vscale x 16 x float> %d1, %s4
  %o1 = getelementptr i8, ptr %out, i64 4096
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m1, ptr %o1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m2 = fmul <vscale x 16 x float> %d2, %s4
  %o2 = getelementptr i8, ptr %out, i64 8192
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m2, ptr %o2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m3 = fmul <vscale x 16 x float> %d3, %s4
  %o3 = getelementptr i8, ptr %out, i64 12288
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m3, ptr %o3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m4 = fmul <vscale x 16 x float> %d4, %s4
  %o4 = getelementptr i8, ptr %out, i64 16384
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m4, ptr %o4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}
