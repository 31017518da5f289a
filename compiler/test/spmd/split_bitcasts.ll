; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-split-bitcasts %s | FileCheck %s
; CHECK-LABEL: @f(
; CHECK-NOT: bitcast <4 x i8>
; CHECK: shl i32 {{.*}}, 24
define i32 @f(<4 x i8> %v) {
  %r = bitcast <4 x i8> %v to i32
  ret i32 %r
}
