; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-vector-pressure %s | FileCheck %s
; Five loads of eight registers each don't fit: the last comes where it is wanted.
; CHECK-LABEL: @f(
; CHECK: fadd
; CHECK: call {{.*}}vp.load
; CHECK: call {{.*}}vp.store
define void @f(ptr noalias %out, ptr %p, ptr %q, ptr %r, ptr %s, ptr %t, i32 %n) {
  %a = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %b = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %q, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %c = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %r, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %s, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %e = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %t, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %ab = fadd <vscale x 16 x float> %a, %b
  %abc = fadd <vscale x 16 x float> %ab, %c
  %abcd = fadd <vscale x 16 x float> %abc, %d
  %abcde = fadd <vscale x 16 x float> %abcd, %e
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %abcde, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}

; Three of them fit: the order stays.
; CHECK-LABEL: @fits(
; CHECK-COUNT-3: vp.load
; CHECK: fadd
define void @fits(ptr noalias %out, ptr %p0, ptr %p1, ptr %p2, ptr %p3, ptr %p4, i32 %n) {
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %s1 = fadd <vscale x 16 x float> %a0, %a1
  %s2 = fadd <vscale x 16 x float> %s1, %a2
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %s2, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}

; Loads don't move across a store that may write what they read, nor across a barrier's fence.
; CHECK-LABEL: @written(
; CHECK-COUNT-5: vp.load
; CHECK: store i32
; CHECK-NOT: vp.load
; CHECK: vp.store
define void @written(ptr noalias %out, ptr %p0, ptr %p1, ptr %p2, ptr %p3, ptr %p4, i32 %n, ptr %q) {
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %a3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %a4 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  store i32 1, ptr %q
  %s1 = fadd <vscale x 16 x float> %a0, %a1
  %s2 = fadd <vscale x 16 x float> %s1, %a2
  %s3 = fadd <vscale x 16 x float> %s2, %a3
  %s4 = fadd <vscale x 16 x float> %s3, %a4
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %s4, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}
; CHECK-LABEL: @fenced(
; CHECK-COUNT-5: vp.load
; CHECK: fence seq_cst
; CHECK-NOT: vp.load
; CHECK: vp.store
define void @fenced(ptr noalias %out, ptr %p0, ptr %p1, ptr %p2, ptr %p3, ptr %p4, i32 %n) {
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %a3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %a4 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  fence seq_cst
  %s1 = fadd <vscale x 16 x float> %a0, %a1
  %s2 = fadd <vscale x 16 x float> %s1, %a2
  %s3 = fadd <vscale x 16 x float> %s2, %a3
  %s4 = fadd <vscale x 16 x float> %s3, %a4
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %s4, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}
