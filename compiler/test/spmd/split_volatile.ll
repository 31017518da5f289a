; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-split-volatile %s | FileCheck %s
; CHECK: load volatile float
; CHECK: load volatile float
; CHECK-NOT: load volatile <2 x float>
define <2 x float> @f(ptr %p) {
  %r = load volatile <2 x float>, ptr %p
  ret <2 x float> %r
}
