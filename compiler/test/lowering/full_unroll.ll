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

; Each of these nests may be unrolled, and both together, but not a third one: the array stays.
; CHECK-LABEL: @two_nests(
; CHECK-NOT: phi
; CHECK-LABEL: @three_nests(
; CHECK: phi
define void @two_nests(ptr %p) {
entry:
  %array = alloca [32 x i32]
  br label %l0
l0:
  %i0 = phi i32 [ 0, %entry ], [ %n0, %l0 ]
  %a0 = getelementptr i32, ptr %array, i32 %i0
  %v0_0 = load i32, ptr %a0
  %v0_1 = mul i32 %v0_0, %v0_0
  %v0_2 = mul i32 %v0_1, %v0_1
  %v0_3 = mul i32 %v0_2, %v0_2
  %v0_4 = mul i32 %v0_3, %v0_3
  %v0_5 = mul i32 %v0_4, %v0_4
  %v0_6 = mul i32 %v0_5, %v0_5
  %v0_7 = mul i32 %v0_6, %v0_6
  %v0_8 = mul i32 %v0_7, %v0_7
  %v0_9 = mul i32 %v0_8, %v0_8
  %v0_10 = mul i32 %v0_9, %v0_9
  %v0_11 = mul i32 %v0_10, %v0_10
  %v0_12 = mul i32 %v0_11, %v0_11
  %v0_13 = mul i32 %v0_12, %v0_12
  %v0_14 = mul i32 %v0_13, %v0_13
  %v0_15 = mul i32 %v0_14, %v0_14
  %v0_16 = mul i32 %v0_15, %v0_15
  %v0_17 = mul i32 %v0_16, %v0_16
  %v0_18 = mul i32 %v0_17, %v0_17
  %v0_19 = mul i32 %v0_18, %v0_18
  %v0_20 = mul i32 %v0_19, %v0_19
  %v0_21 = mul i32 %v0_20, %v0_20
  %v0_22 = mul i32 %v0_21, %v0_21
  %v0_23 = mul i32 %v0_22, %v0_22
  %v0_24 = mul i32 %v0_23, %v0_23
  %v0_25 = mul i32 %v0_24, %v0_24
  %v0_26 = mul i32 %v0_25, %v0_25
  %v0_27 = mul i32 %v0_26, %v0_26
  %v0_28 = mul i32 %v0_27, %v0_27
  %v0_29 = mul i32 %v0_28, %v0_28
  %v0_30 = mul i32 %v0_29, %v0_29
  %v0_31 = mul i32 %v0_30, %v0_30
  %v0_32 = mul i32 %v0_31, %v0_31
  %v0_33 = mul i32 %v0_32, %v0_32
  %v0_34 = mul i32 %v0_33, %v0_33
  %v0_35 = mul i32 %v0_34, %v0_34
  %v0_36 = mul i32 %v0_35, %v0_35
  store i32 %v0_36, ptr %a0
  %n0 = add nuw nsw i32 %i0, 1
  %c0 = icmp ult i32 %n0, 32
  br i1 %c0, label %l0, label %x0
x0:
  br label %l1
l1:
  %i1 = phi i32 [ 0, %x0 ], [ %n1, %l1 ]
  %a1 = getelementptr i32, ptr %array, i32 %i1
  %v1_0 = load i32, ptr %a1
  %v1_1 = mul i32 %v1_0, %v1_0
  %v1_2 = mul i32 %v1_1, %v1_1
  %v1_3 = mul i32 %v1_2, %v1_2
  %v1_4 = mul i32 %v1_3, %v1_3
  %v1_5 = mul i32 %v1_4, %v1_4
  %v1_6 = mul i32 %v1_5, %v1_5
  %v1_7 = mul i32 %v1_6, %v1_6
  %v1_8 = mul i32 %v1_7, %v1_7
  %v1_9 = mul i32 %v1_8, %v1_8
  %v1_10 = mul i32 %v1_9, %v1_9
  %v1_11 = mul i32 %v1_10, %v1_10
  %v1_12 = mul i32 %v1_11, %v1_11
  %v1_13 = mul i32 %v1_12, %v1_12
  %v1_14 = mul i32 %v1_13, %v1_13
  %v1_15 = mul i32 %v1_14, %v1_14
  %v1_16 = mul i32 %v1_15, %v1_15
  %v1_17 = mul i32 %v1_16, %v1_16
  %v1_18 = mul i32 %v1_17, %v1_17
  %v1_19 = mul i32 %v1_18, %v1_18
  %v1_20 = mul i32 %v1_19, %v1_19
  %v1_21 = mul i32 %v1_20, %v1_20
  %v1_22 = mul i32 %v1_21, %v1_21
  %v1_23 = mul i32 %v1_22, %v1_22
  %v1_24 = mul i32 %v1_23, %v1_23
  %v1_25 = mul i32 %v1_24, %v1_24
  %v1_26 = mul i32 %v1_25, %v1_25
  %v1_27 = mul i32 %v1_26, %v1_26
  %v1_28 = mul i32 %v1_27, %v1_27
  %v1_29 = mul i32 %v1_28, %v1_28
  %v1_30 = mul i32 %v1_29, %v1_29
  %v1_31 = mul i32 %v1_30, %v1_30
  %v1_32 = mul i32 %v1_31, %v1_31
  %v1_33 = mul i32 %v1_32, %v1_32
  %v1_34 = mul i32 %v1_33, %v1_33
  %v1_35 = mul i32 %v1_34, %v1_34
  %v1_36 = mul i32 %v1_35, %v1_35
  store i32 %v1_36, ptr %a1
  %n1 = add nuw nsw i32 %i1, 1
  %c1 = icmp ult i32 %n1, 32
  br i1 %c1, label %l1, label %x1
x1:
  %r = load i32, ptr %array
  store i32 %r, ptr %p
  ret void
}
define void @three_nests(ptr %p) {
entry:
  %array = alloca [32 x i32]
  br label %l0
l0:
  %i0 = phi i32 [ 0, %entry ], [ %n0, %l0 ]
  %a0 = getelementptr i32, ptr %array, i32 %i0
  %v0_0 = load i32, ptr %a0
  %v0_1 = mul i32 %v0_0, %v0_0
  %v0_2 = mul i32 %v0_1, %v0_1
  %v0_3 = mul i32 %v0_2, %v0_2
  %v0_4 = mul i32 %v0_3, %v0_3
  %v0_5 = mul i32 %v0_4, %v0_4
  %v0_6 = mul i32 %v0_5, %v0_5
  %v0_7 = mul i32 %v0_6, %v0_6
  %v0_8 = mul i32 %v0_7, %v0_7
  %v0_9 = mul i32 %v0_8, %v0_8
  %v0_10 = mul i32 %v0_9, %v0_9
  %v0_11 = mul i32 %v0_10, %v0_10
  %v0_12 = mul i32 %v0_11, %v0_11
  %v0_13 = mul i32 %v0_12, %v0_12
  %v0_14 = mul i32 %v0_13, %v0_13
  %v0_15 = mul i32 %v0_14, %v0_14
  %v0_16 = mul i32 %v0_15, %v0_15
  %v0_17 = mul i32 %v0_16, %v0_16
  %v0_18 = mul i32 %v0_17, %v0_17
  %v0_19 = mul i32 %v0_18, %v0_18
  %v0_20 = mul i32 %v0_19, %v0_19
  %v0_21 = mul i32 %v0_20, %v0_20
  %v0_22 = mul i32 %v0_21, %v0_21
  %v0_23 = mul i32 %v0_22, %v0_22
  %v0_24 = mul i32 %v0_23, %v0_23
  %v0_25 = mul i32 %v0_24, %v0_24
  %v0_26 = mul i32 %v0_25, %v0_25
  %v0_27 = mul i32 %v0_26, %v0_26
  %v0_28 = mul i32 %v0_27, %v0_27
  %v0_29 = mul i32 %v0_28, %v0_28
  %v0_30 = mul i32 %v0_29, %v0_29
  %v0_31 = mul i32 %v0_30, %v0_30
  %v0_32 = mul i32 %v0_31, %v0_31
  %v0_33 = mul i32 %v0_32, %v0_32
  %v0_34 = mul i32 %v0_33, %v0_33
  %v0_35 = mul i32 %v0_34, %v0_34
  %v0_36 = mul i32 %v0_35, %v0_35
  store i32 %v0_36, ptr %a0
  %n0 = add nuw nsw i32 %i0, 1
  %c0 = icmp ult i32 %n0, 32
  br i1 %c0, label %l0, label %x0
x0:
  br label %l1
l1:
  %i1 = phi i32 [ 0, %x0 ], [ %n1, %l1 ]
  %a1 = getelementptr i32, ptr %array, i32 %i1
  %v1_0 = load i32, ptr %a1
  %v1_1 = mul i32 %v1_0, %v1_0
  %v1_2 = mul i32 %v1_1, %v1_1
  %v1_3 = mul i32 %v1_2, %v1_2
  %v1_4 = mul i32 %v1_3, %v1_3
  %v1_5 = mul i32 %v1_4, %v1_4
  %v1_6 = mul i32 %v1_5, %v1_5
  %v1_7 = mul i32 %v1_6, %v1_6
  %v1_8 = mul i32 %v1_7, %v1_7
  %v1_9 = mul i32 %v1_8, %v1_8
  %v1_10 = mul i32 %v1_9, %v1_9
  %v1_11 = mul i32 %v1_10, %v1_10
  %v1_12 = mul i32 %v1_11, %v1_11
  %v1_13 = mul i32 %v1_12, %v1_12
  %v1_14 = mul i32 %v1_13, %v1_13
  %v1_15 = mul i32 %v1_14, %v1_14
  %v1_16 = mul i32 %v1_15, %v1_15
  %v1_17 = mul i32 %v1_16, %v1_16
  %v1_18 = mul i32 %v1_17, %v1_17
  %v1_19 = mul i32 %v1_18, %v1_18
  %v1_20 = mul i32 %v1_19, %v1_19
  %v1_21 = mul i32 %v1_20, %v1_20
  %v1_22 = mul i32 %v1_21, %v1_21
  %v1_23 = mul i32 %v1_22, %v1_22
  %v1_24 = mul i32 %v1_23, %v1_23
  %v1_25 = mul i32 %v1_24, %v1_24
  %v1_26 = mul i32 %v1_25, %v1_25
  %v1_27 = mul i32 %v1_26, %v1_26
  %v1_28 = mul i32 %v1_27, %v1_27
  %v1_29 = mul i32 %v1_28, %v1_28
  %v1_30 = mul i32 %v1_29, %v1_29
  %v1_31 = mul i32 %v1_30, %v1_30
  %v1_32 = mul i32 %v1_31, %v1_31
  %v1_33 = mul i32 %v1_32, %v1_32
  %v1_34 = mul i32 %v1_33, %v1_33
  %v1_35 = mul i32 %v1_34, %v1_34
  %v1_36 = mul i32 %v1_35, %v1_35
  store i32 %v1_36, ptr %a1
  %n1 = add nuw nsw i32 %i1, 1
  %c1 = icmp ult i32 %n1, 32
  br i1 %c1, label %l1, label %x1
x1:
  br label %l2
l2:
  %i2 = phi i32 [ 0, %x1 ], [ %n2, %l2 ]
  %a2 = getelementptr i32, ptr %array, i32 %i2
  %v2_0 = load i32, ptr %a2
  %v2_1 = mul i32 %v2_0, %v2_0
  %v2_2 = mul i32 %v2_1, %v2_1
  %v2_3 = mul i32 %v2_2, %v2_2
  %v2_4 = mul i32 %v2_3, %v2_3
  %v2_5 = mul i32 %v2_4, %v2_4
  %v2_6 = mul i32 %v2_5, %v2_5
  %v2_7 = mul i32 %v2_6, %v2_6
  %v2_8 = mul i32 %v2_7, %v2_7
  %v2_9 = mul i32 %v2_8, %v2_8
  %v2_10 = mul i32 %v2_9, %v2_9
  %v2_11 = mul i32 %v2_10, %v2_10
  %v2_12 = mul i32 %v2_11, %v2_11
  %v2_13 = mul i32 %v2_12, %v2_12
  %v2_14 = mul i32 %v2_13, %v2_13
  %v2_15 = mul i32 %v2_14, %v2_14
  %v2_16 = mul i32 %v2_15, %v2_15
  %v2_17 = mul i32 %v2_16, %v2_16
  %v2_18 = mul i32 %v2_17, %v2_17
  %v2_19 = mul i32 %v2_18, %v2_18
  %v2_20 = mul i32 %v2_19, %v2_19
  %v2_21 = mul i32 %v2_20, %v2_20
  %v2_22 = mul i32 %v2_21, %v2_21
  %v2_23 = mul i32 %v2_22, %v2_22
  %v2_24 = mul i32 %v2_23, %v2_23
  %v2_25 = mul i32 %v2_24, %v2_24
  %v2_26 = mul i32 %v2_25, %v2_25
  %v2_27 = mul i32 %v2_26, %v2_26
  %v2_28 = mul i32 %v2_27, %v2_27
  %v2_29 = mul i32 %v2_28, %v2_28
  %v2_30 = mul i32 %v2_29, %v2_29
  %v2_31 = mul i32 %v2_30, %v2_30
  %v2_32 = mul i32 %v2_31, %v2_31
  %v2_33 = mul i32 %v2_32, %v2_32
  %v2_34 = mul i32 %v2_33, %v2_33
  %v2_35 = mul i32 %v2_34, %v2_34
  %v2_36 = mul i32 %v2_35, %v2_35
  store i32 %v2_36, ptr %a2
  %n2 = add nuw nsw i32 %i2, 1
  %c2 = icmp ult i32 %n2, 32
  br i1 %c2, label %l2, label %x2
x2:
  %r = load i32, ptr %array
  store i32 %r, ptr %p
  ret void
}
