; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-write-only-variables %s | FileCheck %s
; Stores of all kinds go with the variable that nothing reads.
; CHECK-LABEL: @written(
; CHECK-NEXT: entry:
; CHECK-NEXT: ret void
define void @written(<vscale x 2 x i32> %v, <vscale x 2 x i1> %m, <vscale x 2 x i64> %at, i64 %i, i32 %n) {
entry:
  %variable = alloca [256 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr %variable)
  %element = getelementptr i8, ptr %variable, i64 %i
  store i32 7, ptr %element
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 %n)
  call void @llvm.experimental.vp.strided.store.nxv2i32.p0.i64(<vscale x 2 x i32> %v, ptr %element, i64 8, <vscale x 2 x i1> %m, i32 %n)
  %each = getelementptr i8, ptr %variable, <vscale x 2 x i64> %at
  call void @llvm.vp.scatter.nxv2i32.nxv2p0(<vscale x 2 x i32> %v, <vscale x 2 x ptr> %each, <vscale x 2 x i1> %m, i32 %n)
  call void @llvm.masked.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr align 4 %variable, <vscale x 2 x i1> %m)
  call void @llvm.lifetime.end.p0(ptr %variable)
  ret void
}

; One that is read somewhere stays, with all stores to it.
; CHECK-LABEL: @read(
; CHECK: alloca
; CHECK: store i32 7
; CHECK: call void @llvm.vp.store
; CHECK: call <vscale x 2 x i32> @llvm.vp.load
define <vscale x 2 x i32> @read(<vscale x 2 x i32> %v, i64 %i, i32 %n) {
  %variable = alloca [256 x i8], align 16
  %element = getelementptr i8, ptr %variable, i64 %i
  store i32 7, ptr %element
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 %n)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %element, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x i32> %r
}

; So does one whose address goes somewhere: it is stored itself, by any kind of store, passed to a
; call, or joins others.
; CHECK-LABEL: @stored(
; CHECK: alloca
; CHECK: store i32 7
; CHECK: store ptr
define void @stored(ptr %to) {
  %variable = alloca i32
  store i32 7, ptr %variable
  store ptr %variable, ptr %to
  ret void
}
; CHECK-LABEL: @scattered(
; CHECK: alloca
; CHECK: store i32 7
; CHECK: call void @llvm.vp.scatter
define void @scattered(<vscale x 2 x ptr> %to, <vscale x 2 x i64> %at, <vscale x 2 x i1> %m, i32 %n) {
  %variable = alloca [64 x i8]
  store i32 7, ptr %variable
  %each = getelementptr i8, ptr %variable, <vscale x 2 x i64> %at
  call void @llvm.vp.scatter.nxv2p0.nxv2p0(<vscale x 2 x ptr> %each, <vscale x 2 x ptr> %to, <vscale x 2 x i1> %m, i32 %n)
  ret void
}
; CHECK-LABEL: @passed(
; CHECK: alloca
; CHECK: store i32 7
define void @passed() {
  %variable = alloca i32
  store i32 7, ptr %variable
  call void @use(ptr %variable)
  ret void
}
; CHECK-LABEL: @joined(
; CHECK: alloca
; CHECK: store i32 7
define void @joined(ptr %other, i1 %c) {
  %variable = alloca i32
  %one = select i1 %c, ptr %variable, ptr %other
  store i32 7, ptr %one
  ret void
}

; A volatile or atomic store has an effect of its own.
; CHECK-LABEL: @volatile(
; CHECK: store volatile i32 7
define void @volatile() {
  %variable = alloca i32
  store volatile i32 7, ptr %variable
  ret void
}
; CHECK-LABEL: @atomic(
; CHECK: store atomic i32 7
define void @atomic() {
  %variable = alloca i32
  store atomic i32 7, ptr %variable release, align 4
  ret void
}
declare void @use(ptr)
