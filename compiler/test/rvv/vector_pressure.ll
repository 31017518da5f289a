; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-vector-pressure %s | FileCheck %s
; Five loads of eight registers each don't fit: the last comes where it is wanted.
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
