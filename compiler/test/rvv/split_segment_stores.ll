; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-split-segment-stores %s | FileCheck %s
; Four fields in adjacent registers, with three vectors of eight registers live: the fields are stored one
; by one, 16 bytes apart, each as soon as it is there.
; CHECK-LABEL: @f(
; CHECK: %f3 = call
; CHECK-NEXT: call void @llvm.riscv.vsse.mask{{.*}}(<vscale x 4 x float> %f0, ptr %to, i64 16, <vscale x 4 x i1> %mask, i64 %vl)
; CHECK-NEXT: %f1, ptr %{{[0-9]+}}, i64 16,
; CHECK-NEXT: %f2, ptr %{{[0-9]+}}, i64 16,
; CHECK-NEXT: %f3, ptr %{{[0-9]+}}, i64 16,
; CHECK-NOT: vsseg4
; CHECK: ret void
define void @f(ptr %in, ptr noalias %out, ptr noalias %to, <vscale x 4 x i1> %mask, i32 %n, i64 %vl) {
entry:
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
  call void @llvm.riscv.vsseg4.mask.triscv.vector.tuple_nxv16i8_4t.p0.nxv4i1.i64(target("riscv.vector.tuple", <vscale x 16 x i8>, 4) %t3, ptr %to, <vscale x 4 x i1> %mask, i64 %vl, i64 5)
  %o0 = getelementptr i8, ptr %out, i64 1048576
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a0, ptr %o0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %o1 = getelementptr i8, ptr %out, i64 1052672
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a1, ptr %o1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %o2 = getelementptr i8, ptr %out, i64 1056768
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a2, ptr %o2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}

; A segment store with a stride of its own keeps that.
; CHECK-LABEL: @strided(
; CHECK-COUNT-4: call void @llvm.riscv.vsse.mask{{.*}}, i64 %stride, <vscale x 4 x i1> %mask, i64 %vl)
; CHECK-NOT: vssseg4
; CHECK: ret void
define void @strided(ptr %in, ptr noalias %out, ptr noalias %to, <vscale x 4 x i1> %mask, i32 %n, i64 %vl, i64 %stride) {
entry:
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
  call void @llvm.riscv.vssseg4.mask.triscv.vector.tuple_nxv16i8_4t.p0.i64.nxv4i1(target("riscv.vector.tuple", <vscale x 16 x i8>, 4) %t3, ptr %to, i64 %stride, <vscale x 4 x i1> %mask, i64 %vl, i64 5)
  %o0 = getelementptr i8, ptr %out, i64 1048576
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a0, ptr %o0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %o1 = getelementptr i8, ptr %out, i64 1052672
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a1, ptr %o1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %o2 = getelementptr i8, ptr %out, i64 1056768
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a2, ptr %o2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}

; With one other vector the segment fits: 8 + 8 registers of fields, 8 of the tuple, and 8 to spare.
; CHECK-LABEL: @fits(
; CHECK-NOT: vsse.mask
; CHECK: vsseg4
define void @fits(ptr %in, ptr noalias %out, ptr noalias %to, <vscale x 4 x i1> %mask, i32 %n, i64 %vl) {
entry:
  %p0 = getelementptr i8, ptr %in, i64 0
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
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
  call void @llvm.riscv.vsseg4.mask.triscv.vector.tuple_nxv16i8_4t.p0.nxv4i1.i64(target("riscv.vector.tuple", <vscale x 16 x i8>, 4) %t3, ptr %to, <vscale x 4 x i1> %mask, i64 %vl, i64 5)
  %o0 = getelementptr i8, ptr %out, i64 1048576
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a0, ptr %o0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}

; A field that isn't inserted here is not known.
; CHECK-LABEL: @unknown_field(
; CHECK-NOT: vsse.mask
; CHECK: vsseg4
define void @unknown_field(ptr %in, ptr noalias %out, ptr noalias %to, <vscale x 4 x i1> %mask, i32 %n, i64 %vl) {
entry:
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
  %t1 = call target("riscv.vector.tuple", <vscale x 16 x i8>, 4) @llvm.riscv.tuple.insert.triscv.vector.tuple_nxv16i8_4t.nxv4f32(target("riscv.vector.tuple", <vscale x 16 x i8>, 4) poison, <vscale x 4 x float> %f1, i32 1)
  %t2 = call target("riscv.vector.tuple", <vscale x 16 x i8>, 4) @llvm.riscv.tuple.insert.triscv.vector.tuple_nxv16i8_4t.nxv4f32(target("riscv.vector.tuple", <vscale x 16 x i8>, 4) %t1, <vscale x 4 x float> %f2, i32 2)
  %t3 = call target("riscv.vector.tuple", <vscale x 16 x i8>, 4) @llvm.riscv.tuple.insert.triscv.vector.tuple_nxv16i8_4t.nxv4f32(target("riscv.vector.tuple", <vscale x 16 x i8>, 4) %t2, <vscale x 4 x float> %f3, i32 3)
  call void @llvm.riscv.vsseg4.mask.triscv.vector.tuple_nxv16i8_4t.p0.nxv4i1.i64(target("riscv.vector.tuple", <vscale x 16 x i8>, 4) %t3, ptr %to, <vscale x 4 x i1> %mask, i64 %vl, i64 5)
  %o0 = getelementptr i8, ptr %out, i64 1048576
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a0, ptr %o0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %o1 = getelementptr i8, ptr %out, i64 1052672
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a1, ptr %o1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %o2 = getelementptr i8, ptr %out, i64 1056768
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a2, ptr %o2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}

; The address comes from memory that is written in between: the load of it stays behind the store.
; CHECK-LABEL: @loaded_address(
; CHECK: store ptr %to, ptr %slot
; CHECK: load ptr, ptr %slot
; CHECK: vsse.mask
define void @loaded_address(ptr %in, ptr noalias %out, ptr noalias %to, <vscale x 4 x i1> %mask, i32 %n, i64 %vl) {
entry:
  %slot = alloca ptr
  store ptr null, ptr %slot
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
  store ptr %to, ptr %slot
  %where = load ptr, ptr %slot
  call void @llvm.riscv.vsseg4.mask.triscv.vector.tuple_nxv16i8_4t.p0.nxv4i1.i64(target("riscv.vector.tuple", <vscale x 16 x i8>, 4) %t3, ptr %where, <vscale x 4 x i1> %mask, i64 %vl, i64 5)
  %o0 = getelementptr i8, ptr %out, i64 1048576
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a0, ptr %o0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %o1 = getelementptr i8, ptr %out, i64 1052672
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a1, ptr %o1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %o2 = getelementptr i8, ptr %out, i64 1056768
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %a2, ptr %o2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}
