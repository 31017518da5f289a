; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-full-unroll %s | FileCheck %s
; CHECK-LABEL: @f(
; CHECK-NOT: phi
define void @f(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 4
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Loops stay that are long, of unknown length, or that the program asks to keep.
; CHECK-LABEL: @long(
; CHECK: phi
define void @long(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 400
  br i1 %again, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @unknown(
; CHECK: phi
define void @unknown(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @kept(
; CHECK: phi
define void @kept(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 4
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}

; A private array of 32 elements becomes values if its indices become constants: its loops go,
; although each is too long for LLVM's limit.
; CHECK-LABEL: @array(
; CHECK-NOT: phi
; CHECK: ret void
define void @array(ptr %p, float %v) {
entry:
  %array = alloca [32 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr [32 x float], ptr %array, i64 0, i64 %i
  %r = getelementptr float, ptr %p, i64 %i
  %old = load float, ptr %r
  %a = fadd float %old, %v
  %b = fmul float %a, %old
  %c = fadd float %b, %a
  %d = fmul float %c, %b
  %e = fadd float %d, %c
  %f = fmul float %e, %d
  store volatile float %f, ptr %r
  store float %f, ptr %q
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 32
  br i1 %again, label %loop, label %end
end:
  ret void
}

; Not if an index stays unknown, of more elements, or where the array is passed on.
; CHECK-LABEL: @unknown_index(
; CHECK: phi
define void @unknown_index(ptr %p, float %v, i64 %n) {
entry:
  %array = alloca [32 x float]
  %at = getelementptr [32 x float], ptr %array, i64 0, i64 %n
  store float %v, ptr %at
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr [32 x float], ptr %array, i64 0, i64 %i
  %r = getelementptr float, ptr %p, i64 %i
  %old = load float, ptr %r
  %a = fadd float %old, %v
  %b = fmul float %a, %old
  %c = fadd float %b, %a
  %d = fmul float %c, %b
  %e = fadd float %d, %c
  %f = fmul float %e, %d
  store volatile float %f, ptr %r
  store float %f, ptr %q
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 32
  br i1 %again, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @larger(
; CHECK: phi
define void @larger(ptr %p, float %v) {
entry:
  %array = alloca [33 x float]
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr [33 x float], ptr %array, i64 0, i64 %i
  %r = getelementptr float, ptr %p, i64 %i
  %old = load float, ptr %r
  %a = fadd float %old, %v
  %b = fmul float %a, %old
  %c = fadd float %b, %a
  %d = fmul float %c, %b
  %e = fadd float %d, %c
  %f = fmul float %e, %d
  store volatile float %f, ptr %r
  store float %f, ptr %q
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 33
  br i1 %again, label %loop, label %end
end:
  ret void
}
