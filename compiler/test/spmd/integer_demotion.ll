; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-integer-demotion %s | FileCheck %s
; The mean of two bytes needs nine bits: 16 do.
; CHECK: add {{.*}}i16
; CHECK: lshr {{.*}}i16
define void @f(i32 %x, ptr %a, ptr %b, ptr %out) {
  %p = load i8, ptr %a
  %q = load i8, ptr %b
  %u = zext i8 %p to i32
  %v = zext i8 %q to i32
  %s = add nuw nsw i32 %u, %v
  %h = lshr i32 %s, 1
  %t = trunc i32 %h to i8
  store i8 %t, ptr %out
  ret void
}
