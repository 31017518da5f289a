; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-vp-forwarding %s | FileCheck %s
; CHECK: call void @llvm.vp.store
; CHECK-NEXT: ret <vscale x 2 x i32> %v
define <vscale x 2 x i32> @f(<vscale x 2 x i32> %v, ptr %p, i32 %n) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x i32> %r
}
