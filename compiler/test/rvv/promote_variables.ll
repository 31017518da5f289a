; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-promote-variables %s | FileCheck %s
; A variable that is one vector becomes a phi of its loop.
; CHECK-LABEL: @carried(
; CHECK-NOT: alloca
; CHECK: loop:
; CHECK: %[[NOW:.*]] = phi <vscale x 2 x i32> [ %v, %entry ], [ %next, %loop ]
; CHECK: %next = add <vscale x 2 x i32> %[[NOW]], %v
; CHECK: ret <vscale x 2 x i32> %next
define <vscale x 2 x i32> @carried(<vscale x 2 x i32> %v, i32 %n) {
entry:
  %variable = alloca [32 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr %variable)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 8)
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %after, %loop ]
  %now = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 8)
  %next = add <vscale x 2 x i32> %now, %v
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %next, ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 8)
  %after = add i32 %i, 1
  %more = icmp ult i32 %after, %n
  br i1 %more, label %loop, label %end

end:
  %last = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 8)
  ret <vscale x 2 x i32> %last
}

; Variables that are stored to each other, and one that is stored to itself.
; CHECK-LABEL: @swap(
; CHECK-NOT: alloca
; CHECK: loop:
; CHECK-DAG: %[[X:.*]] = phi <vscale x 2 x i32> [ %v, %entry ], [ %[[Y:.*]], %loop ]
; CHECK-DAG: %[[Y]] = phi <vscale x 2 x i32> [ %w, %entry ], [ %[[X]], %loop ]
; CHECK: end:
; CHECK-NEXT: ret <vscale x 2 x i32> %[[Y]]
define <vscale x 2 x i32> @swap(<vscale x 2 x i32> %v, <vscale x 2 x i32> %w, i32 %n) {
entry:
  %a = alloca [32 x i8], align 16
  %b = alloca [32 x i8], align 16
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %a, <vscale x 2 x i1> splat (i1 true), i32 8)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %w, ptr %b, <vscale x 2 x i1> splat (i1 true), i32 8)
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %after, %loop ]
  %x = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %a, <vscale x 2 x i1> splat (i1 true), i32 8)
  %y = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %b, <vscale x 2 x i1> splat (i1 true), i32 8)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %y, ptr %a, <vscale x 2 x i1> splat (i1 true), i32 8)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %x, ptr %b, <vscale x 2 x i1> splat (i1 true), i32 8)
  %after = add i32 %i, 1
  %more = icmp ult i32 %after, %n
  br i1 %more, label %loop, label %end

end:
  %last = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %a, <vscale x 2 x i1> splat (i1 true), i32 8)
  ret <vscale x 2 x i32> %last
}

; CHECK-LABEL: @kept(
; CHECK-NOT: alloca
; CHECK: ret <vscale x 2 x i32> %v
define <vscale x 2 x i32> @kept(<vscale x 2 x i32> %v) {
  %a = alloca [32 x i8], align 16
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %a, <vscale x 2 x i1> splat (i1 true), i32 8)
  %x = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %a, <vscale x 2 x i1> splat (i1 true), i32 8)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %x, ptr %a, <vscale x 2 x i1> splat (i1 true), i32 8)
  %y = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %a, <vscale x 2 x i1> splat (i1 true), i32 8)
  ret <vscale x 2 x i32> %y
}

; Plain accesses of all lanes, too, where the number of lanes is known.
; CHECK-LABEL: @plain(
; CHECK-NOT: alloca
; CHECK: ret <vscale x 2 x float> %v
define <vscale x 2 x float> @plain(<vscale x 2 x float> %v) vscale_range(8,8) {
  %variable = alloca [64 x i8], align 16
  store <vscale x 2 x float> %v, ptr %variable
  %r = call <vscale x 2 x float> @llvm.vp.load.nxv2f32.p0(ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 16)
  ret <vscale x 2 x float> %r
}
; CHECK-LABEL: @unknown(
; CHECK: alloca
define <vscale x 2 x float> @unknown(<vscale x 2 x float> %v) {
  %variable = alloca [64 x i8], align 16
  store <vscale x 2 x float> %v, ptr %variable
  %r = call <vscale x 2 x float> @llvm.vp.load.nxv2f32.p0(ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 16)
  ret <vscale x 2 x float> %r
}

; Lanes that a store leaves alone would be lost, as would those of another type, those at another
; address and those that something else may write.
; CHECK-LABEL: @shorter(
; CHECK: alloca
define <vscale x 2 x i32> @shorter(<vscale x 2 x i32> %v, <vscale x 2 x i32> %w) {
  %variable = alloca [32 x i8], align 16
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 8)
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %w, ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 4)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 8)
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @masked(
; CHECK: alloca
define <vscale x 2 x i32> @masked(<vscale x 2 x i32> %v, <vscale x 2 x i1> %m) {
  %variable = alloca [32 x i8], align 16
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %variable, <vscale x 2 x i1> %m, i32 8)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 8)
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @length(
; CHECK: alloca
define <vscale x 2 x i32> @length(<vscale x 2 x i32> %v, i32 %n) {
  %variable = alloca [32 x i8], align 16
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 %n)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 8)
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @types(
; CHECK: alloca
define <vscale x 4 x i16> @types(<vscale x 2 x i32> %v) {
  %variable = alloca [32 x i8], align 16
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 8)
  %r = call <vscale x 4 x i16> @llvm.vp.load.nxv4i16.p0(ptr %variable, <vscale x 4 x i1> splat (i1 true), i32 8)
  ret <vscale x 4 x i16> %r
}
; CHECK-LABEL: @address(
; CHECK: alloca
define <vscale x 2 x i32> @address(<vscale x 2 x i32> %v) {
  %variable = alloca [64 x i8], align 16
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 8)
  %second = getelementptr i8, ptr %variable, i64 4
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %second, <vscale x 2 x i1> splat (i1 true), i32 4)
  ret <vscale x 2 x i32> %r
}
; CHECK-LABEL: @passed(
; CHECK: alloca
define <vscale x 2 x i32> @passed(<vscale x 2 x i32> %v) {
  %variable = alloca [32 x i8], align 16
  call void @llvm.vp.store.nxv2i32.p0(<vscale x 2 x i32> %v, ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 8)
  call void @other(ptr %variable)
  %r = call <vscale x 2 x i32> @llvm.vp.load.nxv2i32.p0(ptr %variable, <vscale x 2 x i1> splat (i1 true), i32 8)
  ret <vscale x 2 x i32> %r
}

; Three groups of eight registers are in use already.
; CHECK-LABEL: @crowded(
; CHECK: alloca
; CHECK: store <vscale x 16 x i32> %a, ptr %to
define <vscale x 16 x i32> @crowded(<vscale x 16 x i32> %v, ptr %from, ptr %to) {
entry:
  %variable = alloca [256 x i8], align 16
  call void @llvm.vp.store.nxv16i32.p0(<vscale x 16 x i32> %v, ptr %variable, <vscale x 16 x i1> splat (i1 true), i32 64)
  br label %between

between:
  %a = load volatile <vscale x 16 x i32>, ptr %from
  %b = load volatile <vscale x 16 x i32>, ptr %from
  %c = load volatile <vscale x 16 x i32>, ptr %from
  store <vscale x 16 x i32> %a, ptr %to
  store <vscale x 16 x i32> %b, ptr %to
  store <vscale x 16 x i32> %c, ptr %to
  br label %end

end:
  %r = call <vscale x 16 x i32> @llvm.vp.load.nxv16i32.p0(ptr %variable, <vscale x 16 x i1> splat (i1 true), i32 64)
  ret <vscale x 16 x i32> %r
}

declare void @other(ptr)
