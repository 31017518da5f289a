; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-spill-vectors %s | FileCheck %s
; Five quotients of eight registers each live until their sum is known: some go to the stack.
; CHECK: alloca {{.*}}!rivulet.spilled
; CHECK: fdiv
; Groups of four registers fit.
; RUN: sed 's/vscale x 16/vscale x 8/g;s/nxv16f32/nxv8f32/g' %s | %opt -passes=rvl-spill-vectors | FileCheck --check-prefix=HALF %s
; HALF-LABEL: @f(
; HALF-NOT: alloca
; HALF: ret void
; The block has 45 instructions.
; RUN: %opt -passes=rvl-spill-vectors -rvl-pressure-max-instructions=45 %s | FileCheck --check-prefix=LONG %s
; RUN: %opt -passes=rvl-spill-vectors -rvl-pressure-max-instructions=44 %s | FileCheck --check-prefix=TOO-LONG %s
; LONG-LABEL: @f(
; LONG: alloca
; LONG: ret void
; TOO-LONG-LABEL: @f(
; TOO-LONG-NOT: alloca
; TOO-LONG: ret void
define void @f(ptr %in, ptr noalias %out, i32 %n) {
  %p0 = getelementptr i8, ptr %in, i64 0
  %q0 = getelementptr i8, ptr %in, i64 65536
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %b0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %q0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d0 = fdiv <vscale x 16 x float> %a0, %b0
  %p1 = getelementptr i8, ptr %in, i64 4096
  %q1 = getelementptr i8, ptr %in, i64 69632
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %b1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %q1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d1 = fdiv <vscale x 16 x float> %a1, %b1
  %p2 = getelementptr i8, ptr %in, i64 8192
  %q2 = getelementptr i8, ptr %in, i64 73728
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %b2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %q2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d2 = fdiv <vscale x 16 x float> %a2, %b2
  %p3 = getelementptr i8, ptr %in, i64 12288
  %q3 = getelementptr i8, ptr %in, i64 77824
  %a3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %b3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %q3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d3 = fdiv <vscale x 16 x float> %a3, %b3
  %p4 = getelementptr i8, ptr %in, i64 16384
  %q4 = getelementptr i8, ptr %in, i64 81920
  %a4 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %b4 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %q4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d4 = fdiv <vscale x 16 x float> %a4, %b4
  %s1 = fadd <vscale x 16 x float> %d0, %d1
  %s2 = fadd <vscale x 16 x float> %s1, %d2
  %s3 = fadd <vscale x 16 x float> %s2, %d3
  %s4 = fadd <vscale x 16 x float> %s3, %d4
  %m0 = fmul <vscale x 16 x float> %d0, %s4
  %o0 = getelementptr i8, ptr %out, i64 0
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m0, ptr %o0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m1 = fmul <vscale x 16 x float> %d1, %s4
  %o1 = getelementptr i8, ptr %out, i64 4096
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m1, ptr %o1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m2 = fmul <vscale x 16 x float> %d2, %s4
  %o2 = getelementptr i8, ptr %out, i64 8192
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m2, ptr %o2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m3 = fmul <vscale x 16 x float> %d3, %s4
  %o3 = getelementptr i8, ptr %out, i64 12288
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m3, ptr %o3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m4 = fmul <vscale x 16 x float> %d4, %s4
  %o4 = getelementptr i8, ptr %out, i64 16384
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m4, ptr %o4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}

; Three quotients and their sum take all 32 registers; with four, one goes to the stack.
; LONG-LABEL: @three(
; CHECK-LABEL: @three(
; CHECK-NOT: alloca
; CHECK: ret void
define void @three(ptr %in, ptr noalias %out, i32 %n) {
  %p0 = getelementptr i8, ptr %in, i64 0
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d0 = fdiv <vscale x 16 x float> %a0, %a0
  %p1 = getelementptr i8, ptr %in, i64 4096
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d1 = fdiv <vscale x 16 x float> %a1, %a1
  %p2 = getelementptr i8, ptr %in, i64 8192
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d2 = fdiv <vscale x 16 x float> %a2, %a2
  %s1 = fadd <vscale x 16 x float> %d0, %d1
  %s2 = fadd <vscale x 16 x float> %s1, %d2
  %m0 = fmul <vscale x 16 x float> %d0, %s2
  %o0 = getelementptr i8, ptr %out, i64 0
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m0, ptr %o0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m1 = fmul <vscale x 16 x float> %d1, %s2
  %o1 = getelementptr i8, ptr %out, i64 4096
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m1, ptr %o1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m2 = fmul <vscale x 16 x float> %d2, %s2
  %o2 = getelementptr i8, ptr %out, i64 8192
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m2, ptr %o2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}
; CHECK-LABEL: @four(
; CHECK-COUNT-1: alloca {{.*}}!rivulet.spilled
; CHECK-NOT: alloca
; CHECK: ret void
define void @four(ptr %in, ptr noalias %out, i32 %n) {
  %p0 = getelementptr i8, ptr %in, i64 0
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d0 = fdiv <vscale x 16 x float> %a0, %a0
  %p1 = getelementptr i8, ptr %in, i64 4096
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d1 = fdiv <vscale x 16 x float> %a1, %a1
  %p2 = getelementptr i8, ptr %in, i64 8192
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d2 = fdiv <vscale x 16 x float> %a2, %a2
  %p3 = getelementptr i8, ptr %in, i64 12288
  %a3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d3 = fdiv <vscale x 16 x float> %a3, %a3
  %s1 = fadd <vscale x 16 x float> %d0, %d1
  %s2 = fadd <vscale x 16 x float> %s1, %d2
  %s3 = fadd <vscale x 16 x float> %s2, %d3
  %m0 = fmul <vscale x 16 x float> %d0, %s3
  %o0 = getelementptr i8, ptr %out, i64 0
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m0, ptr %o0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m1 = fmul <vscale x 16 x float> %d1, %s3
  %o1 = getelementptr i8, ptr %out, i64 4096
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m1, ptr %o1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m2 = fmul <vscale x 16 x float> %d2, %s3
  %o2 = getelementptr i8, ptr %out, i64 8192
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m2, ptr %o2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m3 = fmul <vscale x 16 x float> %d3, %s3
  %o3 = getelementptr i8, ptr %out, i64 12288
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m3, ptr %o3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}

; Loads are repeated instead, behind a fence that keeps them there.
; CHECK-LABEL: @loads(
; CHECK-NOT: alloca
; CHECK: %m0 = fmul
; CHECK: fence syncscope("singlethread") seq_cst
; CHECK-NEXT: [[AGAIN:%.*]] = call {{.*}}@llvm.vp.load{{.*}}(ptr %p{{[0-4]}}, {{.*}}, i32 %n)
; CHECK-NEXT: fmul {{.*}}[[AGAIN]]
; CHECK: ret void
define void @loads(ptr %in, ptr noalias %out, i32 %n) {
  %p0 = getelementptr i8, ptr %in, i64 0
  %d0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %p1 = getelementptr i8, ptr %in, i64 4096
  %d1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %p2 = getelementptr i8, ptr %in, i64 8192
  %d2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %p3 = getelementptr i8, ptr %in, i64 12288
  %d3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %p4 = getelementptr i8, ptr %in, i64 16384
  %d4 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %s1 = fadd <vscale x 16 x float> %d0, %d1
  %s2 = fadd <vscale x 16 x float> %s1, %d2
  %s3 = fadd <vscale x 16 x float> %s2, %d3
  %s4 = fadd <vscale x 16 x float> %s3, %d4
  %m0 = fmul <vscale x 16 x float> %s4, %d0
  %m1 = fmul <vscale x 16 x float> %m0, %d1
  %m2 = fmul <vscale x 16 x float> %m1, %d2
  %m3 = fmul <vscale x 16 x float> %m2, %d3
  %m4 = fmul <vscale x 16 x float> %m3, %d4
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m4, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}
; Not behind a store, which may write there.
; CHECK-LABEL: @loads_before_stores(
; CHECK: alloca {{.*}}!rivulet.spilled
; CHECK: %m0 = fmul
; CHECK: ret void
define void @loads_before_stores(ptr %in, ptr noalias %out, i32 %n) {
  %p0 = getelementptr i8, ptr %in, i64 0
  %d0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %p1 = getelementptr i8, ptr %in, i64 4096
  %d1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %p2 = getelementptr i8, ptr %in, i64 8192
  %d2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %p3 = getelementptr i8, ptr %in, i64 12288
  %d3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %p4 = getelementptr i8, ptr %in, i64 16384
  %d4 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %s1 = fadd <vscale x 16 x float> %d0, %d1
  %s2 = fadd <vscale x 16 x float> %s1, %d2
  %s3 = fadd <vscale x 16 x float> %s2, %d3
  %s4 = fadd <vscale x 16 x float> %s3, %d4
  %m0 = fmul <vscale x 16 x float> %d0, %s4
  %o0 = getelementptr i8, ptr %out, i64 0
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m0, ptr %o0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m1 = fmul <vscale x 16 x float> %d1, %s4
  %o1 = getelementptr i8, ptr %out, i64 4096
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m1, ptr %o1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m2 = fmul <vscale x 16 x float> %d2, %s4
  %o2 = getelementptr i8, ptr %out, i64 8192
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m2, ptr %o2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m3 = fmul <vscale x 16 x float> %d3, %s4
  %o3 = getelementptr i8, ptr %out, i64 12288
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m3, ptr %o3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %m4 = fmul <vscale x 16 x float> %d4, %s4
  %o4 = getelementptr i8, ptr %out, i64 16384
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m4, ptr %o4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}
; Loads with a stride are not repeated.
; CHECK-LABEL: @strided_loads(
; CHECK: alloca {{.*}}!rivulet.spilled
; CHECK-COUNT-5: strided.load
; CHECK-NOT: strided.load
; CHECK: ret void
define void @strided_loads(ptr %in, ptr noalias %out, i32 %n) {
  %p0 = getelementptr i8, ptr %in, i64 0
  %d0 = call <vscale x 16 x float> @llvm.experimental.vp.strided.load(ptr %p0, i64 8, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %p1 = getelementptr i8, ptr %in, i64 4096
  %d1 = call <vscale x 16 x float> @llvm.experimental.vp.strided.load(ptr %p1, i64 8, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %p2 = getelementptr i8, ptr %in, i64 8192
  %d2 = call <vscale x 16 x float> @llvm.experimental.vp.strided.load(ptr %p2, i64 8, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %p3 = getelementptr i8, ptr %in, i64 12288
  %d3 = call <vscale x 16 x float> @llvm.experimental.vp.strided.load(ptr %p3, i64 8, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %p4 = getelementptr i8, ptr %in, i64 16384
  %d4 = call <vscale x 16 x float> @llvm.experimental.vp.strided.load(ptr %p4, i64 8, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %s1 = fadd <vscale x 16 x float> %d0, %d1
  %s2 = fadd <vscale x 16 x float> %s1, %d2
  %s3 = fadd <vscale x 16 x float> %s2, %d3
  %s4 = fadd <vscale x 16 x float> %s3, %d4
  %m0 = fmul <vscale x 16 x float> %s4, %d0
  %m1 = fmul <vscale x 16 x float> %m0, %d1
  %m2 = fmul <vscale x 16 x float> %m1, %d2
  %m3 = fmul <vscale x 16 x float> %m2, %d3
  %m4 = fmul <vscale x 16 x float> %m3, %d4
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m4, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}

; A block out of which 32 registers live is planned. With more, it is left to LLVM.
; CHECK-LABEL: @four_live_out(
; CHECK: alloca {{.*}}!rivulet.spilled
; CHECK: ret void
define void @four_live_out(ptr %in, ptr noalias %out, i32 %n, i1 %c) {
entry:
  %p0 = getelementptr i8, ptr %in, i64 0
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d0 = fdiv <vscale x 16 x float> %a0, %a0
  %p1 = getelementptr i8, ptr %in, i64 4096
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d1 = fdiv <vscale x 16 x float> %a1, %a1
  %p2 = getelementptr i8, ptr %in, i64 8192
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d2 = fdiv <vscale x 16 x float> %a2, %a2
  %p3 = getelementptr i8, ptr %in, i64 12288
  %a3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d3 = fdiv <vscale x 16 x float> %a3, %a3
  br i1 %c, label %middle, label %end
middle:
  %x = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %in, <vscale x 16 x i1> splat (i1 true), i32 %n)
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %x, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  br label %end
end:
  %s1 = fadd <vscale x 16 x float> %d0, %d1
  %s2 = fadd <vscale x 16 x float> %s1, %d2
  %s3 = fadd <vscale x 16 x float> %s2, %d3
  %m0 = fmul <vscale x 16 x float> %s3, %d0
  %m1 = fmul <vscale x 16 x float> %m0, %d1
  %m2 = fmul <vscale x 16 x float> %m1, %d2
  %m3 = fmul <vscale x 16 x float> %m2, %d3
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m3, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}
; CHECK-LABEL: @five_live_out(
; CHECK-NOT: alloca
; CHECK: ret void
define void @five_live_out(ptr %in, ptr noalias %out, i32 %n, i1 %c) {
entry:
  %p0 = getelementptr i8, ptr %in, i64 0
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d0 = fdiv <vscale x 16 x float> %a0, %a0
  %p1 = getelementptr i8, ptr %in, i64 4096
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d1 = fdiv <vscale x 16 x float> %a1, %a1
  %p2 = getelementptr i8, ptr %in, i64 8192
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d2 = fdiv <vscale x 16 x float> %a2, %a2
  %p3 = getelementptr i8, ptr %in, i64 12288
  %a3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d3 = fdiv <vscale x 16 x float> %a3, %a3
  %p4 = getelementptr i8, ptr %in, i64 16384
  %a4 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d4 = fdiv <vscale x 16 x float> %a4, %a4
  br i1 %c, label %middle, label %end
middle:
  %x = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %in, <vscale x 16 x i1> splat (i1 true), i32 %n)
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %x, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  br label %end
end:
  %s1 = fadd <vscale x 16 x float> %d0, %d1
  %s2 = fadd <vscale x 16 x float> %s1, %d2
  %s3 = fadd <vscale x 16 x float> %s2, %d3
  %s4 = fadd <vscale x 16 x float> %s3, %d4
  %m0 = fmul <vscale x 16 x float> %s4, %d0
  %m1 = fmul <vscale x 16 x float> %m0, %d1
  %m2 = fmul <vscale x 16 x float> %m1, %d2
  %m3 = fmul <vscale x 16 x float> %m2, %d3
  %m4 = fmul <vscale x 16 x float> %m3, %d4
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m4, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}

; In a loop over strips, spills and reloads have the strip's VL.
; CHECK-LABEL: @strip(
; CHECK: alloca {{.*}}!rivulet.spilled
; CHECK: strip:
; CHECK: call void @llvm.vp.store{{.*}}, ptr [[SLOT:%[0-9]+]], <vscale x 16 x i1> splat (i1 true), i32 %n)
; CHECK: fence syncscope("singlethread") seq_cst
; CHECK-NEXT: call {{.*}}@llvm.vp.load{{.*}}(ptr [[SLOT]], <vscale x 16 x i1> splat (i1 true), i32 %n)
; CHECK-NOT: volatile
; CHECK: ret void
define void @strip(ptr %in, ptr noalias %out, i64 %count) {
entry:
  br label %strip
strip:
  %left = phi i64 [ %count, %entry ], [ %rest, %strip ]
  %vl = call i64 @llvm.riscv.vsetvli.i64(i64 %left, i64 2, i64 3)
  %n = trunc i64 %vl to i32
  %p0 = getelementptr i8, ptr %in, i64 0
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d0 = fdiv <vscale x 16 x float> %a0, %a0
  %p1 = getelementptr i8, ptr %in, i64 4096
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d1 = fdiv <vscale x 16 x float> %a1, %a1
  %p2 = getelementptr i8, ptr %in, i64 8192
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d2 = fdiv <vscale x 16 x float> %a2, %a2
  %p3 = getelementptr i8, ptr %in, i64 12288
  %a3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d3 = fdiv <vscale x 16 x float> %a3, %a3
  %p4 = getelementptr i8, ptr %in, i64 16384
  %a4 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d4 = fdiv <vscale x 16 x float> %a4, %a4
  %s1 = fadd <vscale x 16 x float> %d0, %d1
  %s2 = fadd <vscale x 16 x float> %s1, %d2
  %s3 = fadd <vscale x 16 x float> %s2, %d3
  %s4 = fadd <vscale x 16 x float> %s3, %d4
  %m0 = fmul <vscale x 16 x float> %s4, %d0
  %m1 = fmul <vscale x 16 x float> %m0, %d1
  %m2 = fmul <vscale x 16 x float> %m1, %d2
  %m3 = fmul <vscale x 16 x float> %m2, %d3
  %m4 = fmul <vscale x 16 x float> %m3, %d4
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m4, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %rest = sub i64 %left, %vl
  %more = icmp ne i64 %rest, 0
  br i1 %more, label %strip, label %end
end:
  ret void
}
; Vectors with twice as many lanes as the strip are stored whole, and the access stays in place.
; CHECK-LABEL: @strip_of_half_the_lanes(
; CHECK: alloca {{.*}}!rivulet.spilled
; CHECK: strip:
; CHECK: store volatile <vscale x 16 x float> {{.*}}, ptr [[SLOT:%[0-9]+]]
; CHECK: load volatile <vscale x 16 x float>, ptr [[SLOT]]
; CHECK: ret void
define void @strip_of_half_the_lanes(ptr %in, ptr noalias %out, i64 %count) {
entry:
  br label %strip
strip:
  %left = phi i64 [ %count, %entry ], [ %rest, %strip ]
  %vl = call i64 @llvm.riscv.vsetvli.i64(i64 %left, i64 2, i64 2)
  %n = trunc i64 %vl to i32
  %p0 = getelementptr i8, ptr %in, i64 0
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d0 = fdiv <vscale x 16 x float> %a0, %a0
  %p1 = getelementptr i8, ptr %in, i64 4096
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d1 = fdiv <vscale x 16 x float> %a1, %a1
  %p2 = getelementptr i8, ptr %in, i64 8192
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d2 = fdiv <vscale x 16 x float> %a2, %a2
  %p3 = getelementptr i8, ptr %in, i64 12288
  %a3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d3 = fdiv <vscale x 16 x float> %a3, %a3
  %p4 = getelementptr i8, ptr %in, i64 16384
  %a4 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d4 = fdiv <vscale x 16 x float> %a4, %a4
  %s1 = fadd <vscale x 16 x float> %d0, %d1
  %s2 = fadd <vscale x 16 x float> %s1, %d2
  %s3 = fadd <vscale x 16 x float> %s2, %d3
  %s4 = fadd <vscale x 16 x float> %s3, %d4
  %m0 = fmul <vscale x 16 x float> %s4, %d0
  %m1 = fmul <vscale x 16 x float> %m0, %d1
  %m2 = fmul <vscale x 16 x float> %m1, %d2
  %m3 = fmul <vscale x 16 x float> %m2, %d3
  %m4 = fmul <vscale x 16 x float> %m3, %d4
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m4, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %rest = sub i64 %left, %vl
  %more = icmp ne i64 %rest, 0
  br i1 %more, label %strip, label %end
end:
  ret void
}
; Products are computed twice, unlike quotients, and from loads if need be; the VP intrinsic keeps
; instruction selection from joining them again.
; CHECK-LABEL: @products(
; CHECK-NOT: alloca
; CHECK: %m1 = fmul
; CHECK: [[AGAIN:%.*]] = call {{.*}}@llvm.vp.load{{.*}}(ptr %p{{[0-4]}}, {{.*}}, i32 %n)
; CHECK-NEXT: [[PRODUCT:%.*]] = call {{.*}}@llvm.vp.fmul{{.*}}({{.*}} [[AGAIN]], {{.*}} [[AGAIN]], <vscale x 16 x i1> splat (i1 true), i32 %n)
; CHECK-NEXT: fmul {{.*}}[[PRODUCT]]
; CHECK: ret void
define void @products(ptr %in, ptr noalias %out, i64 %count) {
entry:
  br label %strip
strip:
  %left = phi i64 [ %count, %entry ], [ %rest, %strip ]
  %vl = call i64 @llvm.riscv.vsetvli.i64(i64 %left, i64 2, i64 3)
  %n = trunc i64 %vl to i32
  %p0 = getelementptr i8, ptr %in, i64 0
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d0 = fmul <vscale x 16 x float> %a0, %a0
  %p1 = getelementptr i8, ptr %in, i64 4096
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d1 = fmul <vscale x 16 x float> %a1, %a1
  %p2 = getelementptr i8, ptr %in, i64 8192
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d2 = fmul <vscale x 16 x float> %a2, %a2
  %p3 = getelementptr i8, ptr %in, i64 12288
  %a3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d3 = fmul <vscale x 16 x float> %a3, %a3
  %p4 = getelementptr i8, ptr %in, i64 16384
  %a4 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d4 = fmul <vscale x 16 x float> %a4, %a4
  %s1 = fadd <vscale x 16 x float> %d0, %d1
  %s2 = fadd <vscale x 16 x float> %s1, %d2
  %s3 = fadd <vscale x 16 x float> %s2, %d3
  %s4 = fadd <vscale x 16 x float> %s3, %d4
  %m0 = fmul <vscale x 16 x float> %s4, %d0
  %m1 = fmul <vscale x 16 x float> %m0, %d1
  %m2 = fmul <vscale x 16 x float> %m1, %d2
  %m3 = fmul <vscale x 16 x float> %m2, %d3
  %m4 = fmul <vscale x 16 x float> %m3, %d4
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m4, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %rest = sub i64 %left, %vl
  %more = icmp ne i64 %rest, 0
  br i1 %more, label %strip, label %end
end:
  ret void
}

; A scalar addend of two fmuladds is an operand of their sums; for three, a splat pays.
; CHECK-LABEL: @two_sums(
; CHECK-NOT: @llvm.fmuladd
; CHECK: ret void
define void @two_sums(ptr %in, ptr noalias %out, i32 %n, float %x, i64 %vl) {
  %p0 = getelementptr i8, ptr %in, i64 0
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d0 = fdiv <vscale x 16 x float> %a0, %a0
  %p1 = getelementptr i8, ptr %in, i64 4096
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d1 = fdiv <vscale x 16 x float> %a1, %a1
  %p2 = getelementptr i8, ptr %in, i64 8192
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d2 = fdiv <vscale x 16 x float> %a2, %a2
  %p3 = getelementptr i8, ptr %in, i64 12288
  %a3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d3 = fdiv <vscale x 16 x float> %a3, %a3
  %p4 = getelementptr i8, ptr %in, i64 16384
  %a4 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d4 = fdiv <vscale x 16 x float> %a4, %a4
  %splat = call <vscale x 16 x float> @llvm.riscv.vfmv.v.f(<vscale x 16 x float> poison, float %x, i64 %vl)
  %e0 = call <vscale x 16 x float> @llvm.fmuladd(<vscale x 16 x float> %d0, <vscale x 16 x float> %d1, <vscale x 16 x float> %splat)
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %e0, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %e1 = call <vscale x 16 x float> @llvm.fmuladd(<vscale x 16 x float> %d1, <vscale x 16 x float> %d2, <vscale x 16 x float> %splat)
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %e1, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %s1 = fadd <vscale x 16 x float> %d0, %d1
  %s2 = fadd <vscale x 16 x float> %s1, %d2
  %s3 = fadd <vscale x 16 x float> %s2, %d3
  %s4 = fadd <vscale x 16 x float> %s3, %d4
  %m0 = fmul <vscale x 16 x float> %s4, %d0
  %m1 = fmul <vscale x 16 x float> %m0, %d1
  %m2 = fmul <vscale x 16 x float> %m1, %d2
  %m3 = fmul <vscale x 16 x float> %m2, %d3
  %m4 = fmul <vscale x 16 x float> %m3, %d4
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m4, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}
; CHECK-LABEL: @three_sums(
; CHECK-COUNT-3: @llvm.fmuladd
; CHECK: ret void
define void @three_sums(ptr %in, ptr noalias %out, i32 %n, float %x, i64 %vl) {
  %p0 = getelementptr i8, ptr %in, i64 0
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d0 = fdiv <vscale x 16 x float> %a0, %a0
  %p1 = getelementptr i8, ptr %in, i64 4096
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d1 = fdiv <vscale x 16 x float> %a1, %a1
  %p2 = getelementptr i8, ptr %in, i64 8192
  %a2 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p2, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d2 = fdiv <vscale x 16 x float> %a2, %a2
  %p3 = getelementptr i8, ptr %in, i64 12288
  %a3 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p3, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d3 = fdiv <vscale x 16 x float> %a3, %a3
  %p4 = getelementptr i8, ptr %in, i64 16384
  %a4 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p4, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d4 = fdiv <vscale x 16 x float> %a4, %a4
  %splat = call <vscale x 16 x float> @llvm.riscv.vfmv.v.f(<vscale x 16 x float> poison, float %x, i64 %vl)
  %e0 = call <vscale x 16 x float> @llvm.fmuladd(<vscale x 16 x float> %d0, <vscale x 16 x float> %d1, <vscale x 16 x float> %splat)
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %e0, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %e1 = call <vscale x 16 x float> @llvm.fmuladd(<vscale x 16 x float> %d1, <vscale x 16 x float> %d2, <vscale x 16 x float> %splat)
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %e1, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %e2 = call <vscale x 16 x float> @llvm.fmuladd(<vscale x 16 x float> %d2, <vscale x 16 x float> %d3, <vscale x 16 x float> %splat)
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %e2, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %s1 = fadd <vscale x 16 x float> %d0, %d1
  %s2 = fadd <vscale x 16 x float> %s1, %d2
  %s3 = fadd <vscale x 16 x float> %s2, %d3
  %s4 = fadd <vscale x 16 x float> %s3, %d4
  %m0 = fmul <vscale x 16 x float> %s4, %d0
  %m1 = fmul <vscale x 16 x float> %m0, %d1
  %m2 = fmul <vscale x 16 x float> %m1, %d2
  %m3 = fmul <vscale x 16 x float> %m2, %d3
  %m4 = fmul <vscale x 16 x float> %m3, %d4
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %m4, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}
; Where all fits, fmuladds stay.
; CHECK-LABEL: @sum_that_fits(
; CHECK: @llvm.fmuladd
; CHECK: ret void
define void @sum_that_fits(ptr %in, ptr noalias %out, i32 %n, float %x, i64 %vl) {
  %p0 = getelementptr i8, ptr %in, i64 0
  %a0 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p0, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d0 = fdiv <vscale x 16 x float> %a0, %a0
  %p1 = getelementptr i8, ptr %in, i64 4096
  %a1 = call <vscale x 16 x float> @llvm.vp.load.nxv16f32.p0(ptr %p1, <vscale x 16 x i1> splat (i1 true), i32 %n)
  %d1 = fdiv <vscale x 16 x float> %a1, %a1
  %splat = call <vscale x 16 x float> @llvm.riscv.vfmv.v.f(<vscale x 16 x float> poison, float %x, i64 %vl)
  %e0 = call <vscale x 16 x float> @llvm.fmuladd(<vscale x 16 x float> %d0, <vscale x 16 x float> %d1, <vscale x 16 x float> %splat)
  call void @llvm.vp.store.nxv16f32.p0(<vscale x 16 x float> %e0, ptr %out, <vscale x 16 x i1> splat (i1 true), i32 %n)
  ret void
}
