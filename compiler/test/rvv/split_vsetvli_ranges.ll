; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-split-vsetvli-ranges %s | FileCheck %s
; Another block than the one that makes the length takes a copy of it.
; CHECK: next:
; CHECK: [[COPY:%.*]] = call i64 asm "", "=r,0"(
; CHECK: [[AGAIN:%.*]] = call i64 @llvm.riscv.vsetvli.i64(i64 [[COPY]], i64 2, i64 0)
define void @f(<vscale x 2 x i32> %v, ptr %p, i64 %n) {
entry:
  %long = call i64 @llvm.riscv.vsetvli.i64(i64 %n, i64 2, i64 0)
  %length = trunc i64 %long to i32
  br label %next
next:
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %length)
  ret void
}
