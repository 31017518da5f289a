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

; A shorter load of constant lengths, and one under a mask, whose other lanes are nothing.
; CHECK-LABEL: @shorter(
; CHECK-NOT: vp.load
; CHECK: ret <vscale x 2 x i32> %v
define <vscale x 2 x i32> @shorter(<vscale x 2 x i32> %v, ptr %p) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 4)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 3)
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @longer_constant(
; CHECK: vp.load
define <vscale x 2 x i32> @longer_constant(<vscale x 2 x i32> %v, ptr %p) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 4)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 5)
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @masked_load(
; CHECK-NOT: vp.load
; CHECK: ret <vscale x 2 x i32> %v
define <vscale x 2 x i32> @masked_load(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> %m, i32 %n) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> %m, i32 %n)
  ret <vscale x 2 x i32> %r
}

; The last of two stores counts.
; CHECK-LABEL: @twice(
; CHECK-NOT: vp.load
; CHECK: ret <vscale x 2 x i32> %w
define <vscale x 2 x i32> @twice(<vscale x 2 x i32> %v, <vscale x 2 x i32> %w, ptr %p, i32 %n) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %w, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @masked_between(
; CHECK: vp.load
define <vscale x 2 x i32> @masked_between(<vscale x 2 x i32> %v, <vscale x 2 x i32> %w, ptr %p, <vscale x 2 x i1> %m, i32 %n) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %w, ptr %p, <vscale x 2 x i1> %m, i32 %n)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x i32> %r
}

; Other elements; behind a barrier, a fence or a volatile store, where other work-items may have written;
; in another block.
; CHECK-LABEL: @other_type(
; CHECK: vp.load
define <vscale x 2 x float> @other_type(<vscale x 2 x i32> %v, ptr %p, i32 %n) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  %r = call <vscale x 2 x float> @llvm.vp.load.nxv2f32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x float> %r
}
; CHECK-LABEL: @fenced(
; CHECK: vp.load
define <vscale x 2 x i32> @fenced(<vscale x 2 x i32> %v, ptr %p, i32 %n) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  fence acquire
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @called(
; CHECK: vp.load
declare void @other()
define <vscale x 2 x i32> @called(<vscale x 2 x i32> %v, ptr %p, i32 %n) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  call void @other()
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @volatile_store(
; CHECK: vp.load
define <vscale x 2 x i32> @volatile_store(<vscale x 2 x i32> %v, ptr %p, ptr noalias %q, i32 %n) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  store volatile i32 7, ptr %q
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @acquired(
; CHECK: vp.load
define <vscale x 2 x i32> @acquired(<vscale x 2 x i32> %v, ptr %p, ptr noalias %q, i32 %n) {
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  %seen = load atomic i32, ptr %q acquire, align 4
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @other_block(
; CHECK: vp.load
define <vscale x 2 x i32> @other_block(<vscale x 2 x i32> %v, ptr %p, i32 %n) {
entry:
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  br label %next
next:
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x i32> %r
}

; Stores elsewhere don't matter: what `noalias` or distance keeps apart.
; CHECK-LABEL: @apart(
; CHECK-NOT: vp.load
; CHECK: ret <vscale x 2 x i32> %v
define <vscale x 2 x i32> @apart(<vscale x 2 x i32> %v, ptr noalias %p, ptr noalias %q) {
  %behind = getelementptr i8, ptr %p, i64 16
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 4)
  store i32 7, ptr %q
  store i32 7, ptr %behind
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 4)
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @last_lane(
; CHECK: vp.load
define <vscale x 2 x i32> @last_lane(<vscale x 2 x i32> %v, ptr noalias %p) {
  %last = getelementptr i8, ptr %p, i64 15
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 4)
  store i8 7, ptr %last
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %p, <vscale x 2 x i1> splat (i1 true), i32 4)
  ret <vscale x 2 x i32> %r
}

; Registers: 8 of the stored vector and 16 of two others are as many as may be in use at a time
; (comfortable_vector_registers), with a third one the vector is loaded again.
; CHECK-LABEL: @fits(
; CHECK-COUNT-2: vp.load
; CHECK-NOT: vp.load
; CHECK: ret
define <vscale x 16 x i32> @fits(<vscale x 16 x i32> %v, ptr %p, ptr noalias %q, ptr noalias %r, i32 %n) {
  call void @llvm.vp.store.nxv16i32.p0(<vscale x 16 x i32> %v, ptr %p, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %a = call <vscale x 16 x i32> @llvm.vp.load.nxv16i32.p0(ptr %q, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %b = call <vscale x 16 x i32> @llvm.vp.load.nxv16i32.p0(ptr %r, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %s = add <vscale x 16 x i32> %a, %b
  %again = call <vscale x 16 x i32> @llvm.vp.load.nxv16i32.p0(ptr %p, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %t = add <vscale x 16 x i32> %s, %again
  ret <vscale x 16 x i32> %t
}
; CHECK-LABEL: @full(
; CHECK-COUNT-4: vp.load
; CHECK: ret
define <vscale x 16 x i32> @full(<vscale x 16 x i32> %v, ptr %p, ptr noalias %q, ptr noalias %r, i32 %n) {
  call void @llvm.vp.store.nxv16i32.p0(<vscale x 16 x i32> %v, ptr %p, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %a = call <vscale x 16 x i32> @llvm.vp.load.nxv16i32.p0(ptr %q, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %b = call <vscale x 16 x i32> @llvm.vp.load.nxv16i32.p0(ptr %r, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %c = call <vscale x 16 x i32> @llvm.vp.load.nxv16i32.p0(ptr %r, <vscale x 16 x i1> splat (i1 true), i32 4)
  %s = add <vscale x 16 x i32> %a, %b
  %u = add <vscale x 16 x i32> %s, %c
  %again = call <vscale x 16 x i32> @llvm.vp.load.nxv16i32.p0(ptr %p, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %t = add <vscale x 16 x i32> %u, %again
  ret <vscale x 16 x i32> %t
}
