; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-spill-carried %s | FileCheck %s
; Nine accumulators of eight registers each are more than twice the registers. Seven of them go to
; memory, so that the others fit next to what is computed; the lanes below VL are moved.
; CHECK-LABEL: @f(
; CHECK-COUNT-7: alloca <vscale x 32 x half>{{.*}}!rivulet.spilled
; CHECK-NOT: alloca
; CHECK: before:
; CHECK-COUNT-7: call void @llvm.vp.store{{.*}}(<vscale x 32 x half> zeroinitializer, ptr {{.*}}, i32 %vl)
; CHECK: body:
; CHECK-COUNT-2: phi <vscale x 32 x half>
; CHECK-NOT: phi <vscale
; CHECK: [[OLD:%.*]] = call <vscale x 32 x half> @llvm.vp.load{{.*}}(ptr [[SLOT:%[0-9]+]], <vscale x 32 x i1> splat (i1 true), i32 %vl)
; CHECK-NEXT: [[NEW:%.*]] = fadd <vscale x 32 x half> [[OLD]], %v
; CHECK-NEXT: call void @llvm.vp.store{{.*}}(<vscale x 32 x half> [[NEW]], ptr [[SLOT]],
; CHECK: end:
; CHECK: [[LAST:%.*]] = call <vscale x 32 x half> @llvm.vp.load{{.*}}(ptr [[SLOT]],
; CHECK-NEXT: call void @llvm.vp.store{{.*}}(<vscale x 32 x half> [[LAST]], ptr %o
; Groups of four registers are no more than 36 in all: the allocator splits them.
; RUN: sed 's/vscale x 32/vscale x 16/g;s/nxv32f16/nxv16f16/g;s/i64 1, i64 3/i64 1, i64 2/' %s | %opt -passes=rvl-spill-carried | FileCheck --check-prefix=HALF %s
; HALF-LABEL: @f(
; HALF-NOT: alloca
; HALF: ret void
; Lanes behind the end of a shorter VL may be demanded: nothing is known then.
; RUN: sed 's/i64 1, i64 3/i64 1, i64 2/' %s | %opt -passes=rvl-spill-carried | FileCheck --check-prefix=HALF %s
define void @f(ptr %in, ptr noalias %out, i64 %n, i64 %count) {
entry:
  %length = call i64 @llvm.riscv.vsetvli.i64(i64 %n, i64 1, i64 3)
  %vl = trunc i64 %length to i32
  br label %before
before:
  br label %body
body:
  %i = phi i64 [ 0, %before ], [ %j, %body ]
  %a0 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b0, %body ]
  %a1 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b1, %body ]
  %a2 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b2, %body ]
  %a3 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b3, %body ]
  %a4 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b4, %body ]
  %a5 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b5, %body ]
  %a6 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b6, %body ]
  %a7 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b7, %body ]
  %a8 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b8, %body ]
  %at = getelementptr i8, ptr %in, i64 %i
  %v = call <vscale x 32 x half> @llvm.vp.load.nxv32f16.p0(ptr %at, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %b0 = fadd <vscale x 32 x half> %a0, %v
  %b1 = fadd <vscale x 32 x half> %a1, %v
  %b2 = fadd <vscale x 32 x half> %a2, %v
  %b3 = fadd <vscale x 32 x half> %a3, %v
  %b4 = fadd <vscale x 32 x half> %a4, %v
  %b5 = fadd <vscale x 32 x half> %a5, %v
  %b6 = fadd <vscale x 32 x half> %a6, %v
  %b7 = fadd <vscale x 32 x half> %a7, %v
  %b8 = fadd <vscale x 32 x half> %a8, %v
  %j = add i64 %i, 1
  %again = icmp ult i64 %j, %count
  br i1 %again, label %body, label %end
end:
  %o0 = getelementptr i8, ptr %out, i64 0
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %b0, ptr %o0, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o1 = getelementptr i8, ptr %out, i64 4096
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %b1, ptr %o1, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o2 = getelementptr i8, ptr %out, i64 8192
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %b2, ptr %o2, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o3 = getelementptr i8, ptr %out, i64 12288
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %b3, ptr %o3, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o4 = getelementptr i8, ptr %out, i64 16384
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %b4, ptr %o4, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o5 = getelementptr i8, ptr %out, i64 20480
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %b5, ptr %o5, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o6 = getelementptr i8, ptr %out, i64 24576
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %b6, ptr %o6, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o7 = getelementptr i8, ptr %out, i64 28672
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %b7, ptr %o7, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o8 = getelementptr i8, ptr %out, i64 32768
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %b8, ptr %o8, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  ret void
}

; A way around the loop stores what is there instead.
; CHECK-LABEL: @around(
; CHECK-COUNT-7: alloca
; CHECK-NOT: alloca
; CHECK-COUNT-7: call void @llvm.vp.store{{.*}}(<vscale x 32 x half> splat (half 0xH3C00), ptr
; CHECK: before:
; CHECK: end:
; CHECK-COUNT-2: phi <vscale x 32 x half>
; CHECK-NOT: phi
; CHECK-COUNT-7: call <vscale x 32 x half> @llvm.vp.load
; CHECK: ret void
; It is stored once if both ways begin with the same.
; RUN: sed 's/splat (half 1.0)/zeroinitializer/' %s | %opt -passes=rvl-spill-carried | FileCheck --check-prefix=SAME %s
; SAME-LABEL: @around(
; SAME: entry:
; SAME-COUNT-7: call void @llvm.vp.store{{.*}}(<vscale x 32 x half> zeroinitializer, ptr
; SAME: before:
; SAME-NOT: vp.store
; SAME: body:
define void @around(ptr %in, ptr noalias %out, i64 %n, i64 %count) {
entry:
  %length = call i64 @llvm.riscv.vsetvli.i64(i64 %n, i64 1, i64 3)
  %vl = trunc i64 %length to i32
  %some = icmp ne i64 %count, 0
  br i1 %some, label %before, label %end
before:
  br label %body
body:
  %i = phi i64 [ 0, %before ], [ %j, %body ]
  %a0 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b0, %body ]
  %a1 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b1, %body ]
  %a2 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b2, %body ]
  %a3 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b3, %body ]
  %a4 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b4, %body ]
  %a5 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b5, %body ]
  %a6 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b6, %body ]
  %a7 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b7, %body ]
  %a8 = phi <vscale x 32 x half> [ zeroinitializer, %before ], [ %b8, %body ]
  %at = getelementptr i8, ptr %in, i64 %i
  %v = call <vscale x 32 x half> @llvm.vp.load.nxv32f16.p0(ptr %at, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %b0 = fadd <vscale x 32 x half> %a0, %v
  %b1 = fadd <vscale x 32 x half> %a1, %v
  %b2 = fadd <vscale x 32 x half> %a2, %v
  %b3 = fadd <vscale x 32 x half> %a3, %v
  %b4 = fadd <vscale x 32 x half> %a4, %v
  %b5 = fadd <vscale x 32 x half> %a5, %v
  %b6 = fadd <vscale x 32 x half> %a6, %v
  %b7 = fadd <vscale x 32 x half> %a7, %v
  %b8 = fadd <vscale x 32 x half> %a8, %v
  %j = add i64 %i, 1
  %again = icmp ult i64 %j, %count
  br i1 %again, label %body, label %end
end:
  %r0 = phi <vscale x 32 x half> [ splat (half 1.0), %entry ], [ %b0, %body ]
  %r1 = phi <vscale x 32 x half> [ splat (half 1.0), %entry ], [ %b1, %body ]
  %r2 = phi <vscale x 32 x half> [ splat (half 1.0), %entry ], [ %b2, %body ]
  %r3 = phi <vscale x 32 x half> [ splat (half 1.0), %entry ], [ %b3, %body ]
  %r4 = phi <vscale x 32 x half> [ splat (half 1.0), %entry ], [ %b4, %body ]
  %r5 = phi <vscale x 32 x half> [ splat (half 1.0), %entry ], [ %b5, %body ]
  %r6 = phi <vscale x 32 x half> [ splat (half 1.0), %entry ], [ %b6, %body ]
  %r7 = phi <vscale x 32 x half> [ splat (half 1.0), %entry ], [ %b7, %body ]
  %r8 = phi <vscale x 32 x half> [ splat (half 1.0), %entry ], [ %b8, %body ]
  %o0 = getelementptr i8, ptr %out, i64 0
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %r0, ptr %o0, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o1 = getelementptr i8, ptr %out, i64 4096
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %r1, ptr %o1, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o2 = getelementptr i8, ptr %out, i64 8192
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %r2, ptr %o2, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o3 = getelementptr i8, ptr %out, i64 12288
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %r3, ptr %o3, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o4 = getelementptr i8, ptr %out, i64 16384
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %r4, ptr %o4, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o5 = getelementptr i8, ptr %out, i64 20480
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %r5, ptr %o5, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o6 = getelementptr i8, ptr %out, i64 24576
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %r6, ptr %o6, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o7 = getelementptr i8, ptr %out, i64 28672
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %r7, ptr %o7, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  %o8 = getelementptr i8, ptr %out, i64 32768
  call void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half> %r8, ptr %o8, <vscale x 32 x i1> splat (i1 true), i32 %vl)
  ret void
}

declare i64 @llvm.riscv.vsetvli.i64(i64, i64, i64)
declare <vscale x 32 x half> @llvm.vp.load.nxv32f16.p0(ptr, <vscale x 32 x i1>, i32)
declare void @llvm.vp.store.nxv32f16.p0(<vscale x 32 x half>, ptr, <vscale x 32 x i1>, i32)
