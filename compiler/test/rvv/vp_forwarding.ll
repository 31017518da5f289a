; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-vp-forwarding %s | FileCheck %s
; CHECK: call void @llvm.vp.store
; CHECK-NEXT: ret <vscale x 2 x i32> %v
define <vscale x 2 x i32> @f(<vscale x 2 x i32> %v, ptr %p, i32 %n) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x i32> %r
}

; Other lanes are loaded than were stored: a longer vector, another type, another address.
; CHECK-LABEL: @longer(
; CHECK: call <vscale x 2 x i32> @llvm.vp.load
define <vscale x 2 x i32> @longer(<vscale x 2 x i32> %v, ptr %p, i32 %n, i32 %m) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %m)
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @elsewhere(
; CHECK: call <vscale x 2 x i32> @llvm.vp.load
define <vscale x 2 x i32> @elsewhere(<vscale x 2 x i32> %v, ptr %p, ptr %q, i32 %n) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %q, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x i32> %r
}

; A masked store leaves some lanes of memory as they were.
; CHECK-LABEL: @masked(
; CHECK: call <vscale x 2 x i32> @llvm.vp.load
define <vscale x 2 x i32> @masked(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> %m, i32 %n) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> %m, i32 %n)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x i32> %r
}

; Something else may be there by then.
; CHECK-LABEL: @overwritten(
; CHECK: call <vscale x 2 x i32> @llvm.vp.load
define <vscale x 2 x i32> @overwritten(<vscale x 2 x i32> %v, ptr %p, ptr %q, i32 %n) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  store i32 7, ptr %q
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x i32> %r
}
