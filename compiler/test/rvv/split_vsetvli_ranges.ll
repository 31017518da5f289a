; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-split-vsetvli-ranges -rvl-vl-copy-max-uses=2 %s | FileCheck %s
; Another block than the one that makes the length takes a copy of it.
; CHECK-LABEL: @f(
; CHECK: next:
; CHECK: [[COPY:%.*]] = call i64 asm "", "=r,0"(
; CHECK: [[AGAIN:%.*]] = call i64 @llvm.riscv.vsetvli.i64(i64 [[COPY]], i64 2, i64 0)
; CHECK: [[SHORT:%.*]] = trunc nuw i64 [[AGAIN]] to i32
; CHECK: llvm.vp.store{{.*}} i32 [[SHORT]])
define void @f(<vscale x 2 x i32> %v, ptr %p, i64 %n) {
entry:
  %long = call i64 @llvm.riscv.vsetvli.i64(i64 %n, i64 2, i64 0)
  %length = trunc i64 %long to i32
  br label %next
next:
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %length)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %length)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %length)
  ret void
}

; A length with few uses (-rvl-vl-copy-max-uses) stays one.
; CHECK-LABEL: @few(
; CHECK-NOT: asm
; CHECK: ret void
define void @few(<vscale x 2 x i32> %v, ptr %p, i64 %n) {
entry:
  %long = call i64 @llvm.riscv.vsetvli.i64(i64 %n, i64 2, i64 0)
  %length = trunc i64 %long to i32
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %length)
  br label %next
next:
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %length)
  ret void
}

; In its own block, two uses share the length, and the third takes a copy (-rvl-vl-copy-max-uses).
; CHECK-LABEL: @limit(
; CHECK-NOT: asm
; CHECK: llvm.vp.store{{.*}} ptr %p,
; CHECK-NOT: asm
; CHECK: llvm.vp.store{{.*}} ptr %q,
; CHECK: asm
; CHECK-NOT: asm
; CHECK: llvm.vp.store{{.*}} ptr %r,
; CHECK-NOT: asm
; CHECK: ret void
define void @limit(<vscale x 2 x i32> %v, ptr %p, ptr %q, ptr %r, i64 %n) {
  %long = call i64 @llvm.riscv.vsetvli.i64(i64 %n, i64 2, i64 0)
  %length = trunc i64 %long to i32
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %length)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %q, <vscale x 2 x i1> splat (i1 true), i32 %length)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %r, <vscale x 2 x i1> splat (i1 true), i32 %length)
  ret void
}

; A length that no vsetvli gave is copied without one.
; CHECK-LABEL: @minimum(
; CHECK: next:
; CHECK: [[COPY:%.*]] = call i64 asm "", "=r,0"(
; CHECK-NOT: vsetvli
; CHECK: llvm.vp.store
define void @minimum(<vscale x 2 x i32> %v, ptr %p, i32 %n) {
entry:
  %length = call i32 @llvm.umin.i32(i32 %n, i32 4)
  br label %next
next:
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %length)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %length)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %length)
  ret void
}

; An argument and a constant are in a register of their own or in the instruction.
; CHECK-LABEL: @others(
; CHECK-NOT: asm
; CHECK: ret void
define void @others(<vscale x 2 x i32> %v, ptr %p, i32 %n) {
entry:
  br label %next
next:
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 4)
  ret void
}

; A number of 8 bits that was cut off a length is no length: 256 lanes are 0.
; CHECK-LABEL: @number(
; CHECK: next:
; CHECK-NOT: asm
; CHECK: %r = call i8 @llvm.umax.i8(i8 %byte, i8 %m)
define i8 @number(i64 %n, i8 %m) {
entry:
  %long = call i64 @llvm.riscv.vsetvli.i64(i64 %n, i64 2, i64 0)
  %byte = trunc i64 %long to i8
  br label %next
next:
  %r = call i8 @llvm.umax.i8(i8 %byte, i8 %m)
  ret i8 %r
}
