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
