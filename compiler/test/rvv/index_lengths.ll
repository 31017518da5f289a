; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-index-lengths %s | FileCheck %s
; The operations that an index is made of, those of other iterations too, get the length of the access.
; CHECK-LABEL: @index(
; CHECK: [[I:%.*]] = phi <vscale x 4 x i32> [ %first, %entry ], [ %next, %loop ]
; CHECK: [[LENGTH:%.*]] = trunc i64 %n to i32
; CHECK-NEXT: %bytes = call <vscale x 4 x i32> @llvm.vp.mul.nxv4i32(<vscale x 4 x i32> [[I]], <vscale x 4 x i32> splat (i32 12), <vscale x 4 x i1> splat (i1 true), i32 [[LENGTH]])
; CHECK: call {{.*}} @llvm.riscv.vluxseg3{{.*}} %bytes
; CHECK: %next = call <vscale x 4 x i32> @llvm.vp.add.nxv4i32(<vscale x 4 x i32> [[I]], <vscale x 4 x i32> splat (i32 1)
define void @index(ptr %p, <vscale x 4 x i32> %first, <vscale x 4 x i1> %m, i64 %avl) {
entry:
  %n = call i64 @llvm.riscv.vsetvli.i64(i64 %avl, i64 2, i64 1)
  br label %loop
loop:
  %i = phi <vscale x 4 x i32> [ %first, %entry ], [ %next, %loop ]
  %bytes = mul nuw <vscale x 4 x i32> %i, splat (i32 12)
  %t = call target("riscv.vector.tuple", <vscale x 16 x i8>, 3) @llvm.riscv.vluxseg3.mask.triscv.vector.tuple_nxv16i8_3t.p0.nxv4i32.nxv4i1.i64(target("riscv.vector.tuple", <vscale x 16 x i8>, 3) poison, ptr %p, <vscale x 4 x i32> %bytes, <vscale x 4 x i1> %m, i64 %n, i64 3, i64 5)
  %a = call <vscale x 4 x i32> @llvm.riscv.tuple.extract.nxv4i32.triscv.vector.tuple_nxv16i8_3t(target("riscv.vector.tuple", <vscale x 16 x i8>, 3) %t, i32 0)
  %l = trunc i64 %n to i32
  call void @llvm.vp.store.nxv4i32.p0(<vscale x 4 x i32> %a, ptr %p, <vscale x 4 x i1> splat (i1 true), i32 %l)
  %next = add <vscale x 4 x i32> %i, splat (i32 1)
  br label %loop
}

; What more lanes are used of, and what no index is made of, stays.
; CHECK-LABEL: @other(
; CHECK-NOT: llvm.vp.mul
; CHECK: mul <vscale x 4 x i32> %i, splat (i32 12)
; CHECK-NOT: llvm.vp.add
; CHECK: add <vscale x 4 x i32> %i, splat (i32 1)
define <vscale x 4 x i32> @other(ptr %p, <vscale x 4 x i32> %i, <vscale x 4 x i1> %m, i64 %avl) {
  %n = call i64 @llvm.riscv.vsetvli.i64(i64 %avl, i64 2, i64 1)
  %bytes = mul <vscale x 4 x i32> %i, splat (i32 12)
  %t = call target("riscv.vector.tuple", <vscale x 16 x i8>, 3) @llvm.riscv.vluxseg3.mask.triscv.vector.tuple_nxv16i8_3t.p0.nxv4i32.nxv4i1.i64(target("riscv.vector.tuple", <vscale x 16 x i8>, 3) poison, ptr %p, <vscale x 4 x i32> %bytes, <vscale x 4 x i1> %m, i64 %n, i64 3, i64 5)
  %a = call <vscale x 4 x i32> @llvm.riscv.tuple.extract.nxv4i32.triscv.vector.tuple_nxv16i8_3t(target("riscv.vector.tuple", <vscale x 16 x i8>, 3) %t, i32 0)
  %l = trunc i64 %n to i32
  %sum = add <vscale x 4 x i32> %i, splat (i32 1)
  call void @llvm.vp.store.nxv4i32.p0(<vscale x 4 x i32> %a, ptr %p, <vscale x 4 x i1> splat (i1 true), i32 %l)
  call void @llvm.vp.store.nxv4i32.p0(<vscale x 4 x i32> %sum, ptr %p, <vscale x 4 x i1> splat (i1 true), i32 %l)
  ret <vscale x 4 x i32> %bytes
}
