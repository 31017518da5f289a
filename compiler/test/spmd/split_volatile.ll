; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-split-volatile %s | FileCheck %s
; CHECK: load volatile float
; CHECK: load volatile float
; CHECK-NOT: load volatile <2 x float>
define <2 x float> @f(ptr %p) {
  %r = load volatile <2 x float>, ptr %p
  ret <2 x float> %r
}

; Elements get the alignment that they have in the vector.
; CHECK-LABEL: @stored(
; CHECK: store volatile float {{.*}}, align 16
; CHECK: store volatile float {{.*}}, align 4
; CHECK: store volatile float {{.*}}, align 8
; CHECK: store volatile float {{.*}}, align 4
; CHECK-NOT: store
define void @stored(ptr %p, <4 x float> %v) {
  store volatile <4 x float> %v, ptr %p, align 16
  ret void
}

; The scalarizer splits others; scalars stay.
; CHECK-LABEL: @plain(
; CHECK: load <2 x float>
; CHECK: load volatile float
define <2 x float> @plain(ptr %p, ptr %q) {
  %r = load <2 x float>, ptr %p
  %s = load volatile float, ptr %q
  ret <2 x float> %r
}

; Address space and metadata go to each element; a load of one element is no vector.
; CHECK-LABEL: @local(
; CHECK-COUNT-4: load volatile i8, ptr addrspace(3) {{.*}}, !alias.scope
; CHECK: insertelement {{.*}}, i64 3
; CHECK-NOT: load volatile <4 x i8>
; CHECK: ret <4 x i8>
define <4 x i8> @local(ptr addrspace(3) %p) {
  %r = load volatile <4 x i8>, ptr addrspace(3) %p, align 2, !alias.scope !0
  ret <4 x i8> %r
}

; Bits, and integers of 24 bits, follow each other without gaps in memory: elements have no addresses.
; CHECK-LABEL: @packed(
; CHECK: load volatile <8 x i1>
; CHECK: store volatile <2 x i24>
define void @packed(ptr %p, <2 x i24> %v) {
  %r = load volatile <8 x i1>, ptr %p
  store volatile <2 x i24> %v, ptr %p
  ret void
}

; Each atomic access of a scalar stays one.
; CHECK-LABEL: @atomic(
; CHECK: load atomic volatile i64
define i64 @atomic(ptr %p) {
  %r = load atomic volatile i64, ptr %p monotonic, align 8
  ret i64 %r
}

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
