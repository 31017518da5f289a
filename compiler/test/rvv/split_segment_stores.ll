; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-split-segment-stores %s | FileCheck %s
; Four fields in adjacent registers, beside three vectors of eight registers: the fields are stored one
; by one, 16 bytes apart.
; CHECK-COUNT-4: call void @llvm.riscv.vsse.mask
; CHECK-NOT: vsseg4
; CHECK: ret void
define void @f(ptr %in, ptr noalias %out, <vscale x 4 x i1> %mask, i32 %n, i64 %vl) {
  %p0 = getelementptr i8, ptr %in, i64 0
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %p1 = getelementptr i8, ptr %in, i64 4096
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %p2 = getelementptr i8, ptr %in, i64 8192
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %q0 = getelementptr i8, ptr %in, i64 65536
  %f0 = call <vscale x 4 x float> @llvm.vp.load.nxv4f32.p0(ptr %q0, <vscale x 4 x i1> splat (i1 true), i32 %n)
  %q1 = getelementptr i8, ptr %in, i64 69632
  %f1 = call <vscale x 4 x float> @llvm.vp.load.nxv4f32.p0(ptr %q1, <vscale x 4 x i1> splat (i1 true), i32 %n)
  %q2 = getelementptr i8, ptr %in, i64 73728
  %f2 = call <vscale x 4 x float> @llvm.vp.load.nxv4f32.p0(ptr %q2, <vscale x 4 x i1> splat (i1 true), i32 %n)
  %q3 = getelementptr i8, ptr %in, i64 77824
  %f3 = call <vscale x 4 x float> @llvm.vp.load.nxv4f32.p0(ptr %q3, <vscale x 4 x i1> splat (i1 true), i32 %n)
  %t0 = call target("riscv.vector.tuple", <vscale x 16 x i8>, 4) @llvm.riscv.tuple.insert.triscv.vector.tuple_nxv16i8_4t.nxv4f32(target("riscv.vector.tuple", <vscale x 16 x i8>, 4) poison, <vscale x 4 x float> %f0, i32 0)
  %t1 = call target("riscv.vector.tuple", <vscale x 16 x i8>, 4) @llvm.riscv.tuple.insert.triscv.vector.tuple_nxv16i8_4t.nxv4f32(target("riscv.vector.tuple", <vscale x 16 x i8>, 4) %t0, <vscale x 4 x float> %f1, i32 1)
  %t2 = call target("riscv.vector.tuple", <vscale x 16 x i8>, 4) @llvm.riscv.tuple.insert.triscv.vector.tuple_nxv16i8_4t.nxv4f32(target("riscv.vector.tuple", <vscale x 16 x i8>, 4) %t1, <vscale x 4 x float> %f2, i32 2)
  %t3 = call target("riscv.vector.tuple", <vscale x 16 x i8>, 4) @llvm.riscv.tuple.insert.triscv.vector.tuple_nxv16i8_4t.nxv4f32(target("riscv.vector.tuple", <vscale x 16 x i8>, 4) %t2, <vscale x 4 x float> %f3, i32 3)
  call void @llvm.riscv.vsseg4.mask.triscv.vector.tuple_nxv16i8_4t.p0.nxv4i1.i64(target("riscv.vector.tuple", <vscale x 16 x i8>, 4) %t3, ptr %out, <vscale x 4 x i1> %mask, i64 %vl, i64 5)
  %o0 = getelementptr i8, ptr %out, i64 1048576
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a0, ptr %o0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %o1 = getelementptr i8, ptr %out, i64 1052672
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a1, ptr %o1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %o2 = getelementptr i8, ptr %out, i64 1056768
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a2, ptr %o2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}
