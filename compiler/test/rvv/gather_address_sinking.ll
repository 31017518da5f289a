; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-gather-address-sinking %s | FileCheck %s
; The sum of a base and offsets that a loop doesn't change comes back into it, with their extension.
; CHECK-LABEL: @gather(
; CHECK: entry:
; CHECK-NOT: zext
; CHECK-NOT: getelementptr
; CHECK: loop:
; CHECK: [[WIDE:%.*]] = zext <vscale x 2 x i32> %offsets to <vscale x 2 x i64>
; CHECK: [[EACH:%.*]] = getelementptr i8, ptr %base, <vscale x 2 x i64> [[WIDE]]
; CHECK: @llvm.vp.gather.nxv2i32.nxv2p0(<vscale x 2 x ptr> [[EACH]]
define <vscale x 2 x i32> @gather(ptr %base, <vscale x 2 x i32> %offsets, i32 %n) {
entry:
  %wide = zext <vscale x 2 x i32> %offsets to <vscale x 2 x i64>
  %each = getelementptr i8, ptr %base, <vscale x 2 x i64> %wide
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <vscale x 2 x i32> [ zeroinitializer, %entry ], [ %more, %loop ]
  %r = call <vscale x 2 x i32> @llvm.vp.gather.nxv2i32.nxv2p0(<vscale x 2 x ptr> %each, <vscale x 2 x i1> splat (i1 true), i32 %n)
  %more = add <vscale x 2 x i32> %sum, %r
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret <vscale x 2 x i32> %more
}

; The addresses that others use stay where they are, too, and the extension may be alone.
; CHECK-LABEL: @scatter(
; CHECK: entry:
; CHECK: [[WIDE:%.*]] = zext
; CHECK: then:
; CHECK: zext
; CHECK: getelementptr i8, ptr %base
; CHECK: call void @llvm.vp.scatter
; CHECK: ret <vscale x 2 x i64> [[WIDE]]
define <vscale x 2 x i64> @scatter(ptr %base, <vscale x 2 x i32> %offsets, <vscale x 2 x i32> %v, i1 %c) {
entry:
  %wide = zext <vscale x 2 x i32> %offsets to <vscale x 2 x i64>
  br i1 %c, label %then, label %done
then:
  %each = getelementptr i8, ptr %base, <vscale x 2 x i64> %wide
  call void @llvm.vp.scatter.nxv2i32.nxv2p0(<vscale x 2 x i32> %v, <vscale x 2 x ptr> %each, <vscale x 2 x i1> splat (i1 true), i32 4)
  br label %done
done:
  ret <vscale x 2 x i64> %wide
}

; Bases of each lane's own, and sums in the block of the access, are left alone.
; CHECK-LABEL: @bases(
; CHECK: entry:
; CHECK: getelementptr i8, <vscale x 2 x ptr> %bases
; CHECK: then:
; CHECK-NEXT: @llvm.vp.gather
define <vscale x 2 x i32> @bases(<vscale x 2 x ptr> %bases, i64 %offset, i1 %c) {
entry:
  %each = getelementptr i8, <vscale x 2 x ptr> %bases, i64 %offset
  br i1 %c, label %then, label %done
then:
  %r = call <vscale x 2 x i32> @llvm.vp.gather.nxv2i32.nxv2p0(<vscale x 2 x ptr> %each, <vscale x 2 x i1> splat (i1 true), i32 4)
  ret <vscale x 2 x i32> %r
done:
  ret <vscale x 2 x i32> zeroinitializer
}
; CHECK-LABEL: @here(
; CHECK-COUNT-1: getelementptr
; CHECK: add
; CHECK-NOT: getelementptr
; CHECK: @llvm.vp.gather
define <vscale x 2 x i32> @here(ptr %base, <vscale x 2 x i64> %offsets, <vscale x 2 x i32> %v) {
  %each = getelementptr i8, ptr %base, <vscale x 2 x i64> %offsets
  %w = add <vscale x 2 x i32> %v, %v
  %r = call <vscale x 2 x i32> @llvm.vp.gather.nxv2i32.nxv2p0(<vscale x 2 x ptr> %each, <vscale x 2 x i1> splat (i1 true), i32 4)
  %s = add <vscale x 2 x i32> %w, %r
  ret <vscale x 2 x i32> %s
}
