; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-prepare-inlining %s | FileCheck %s
; Every function but kernels is inlined, mul_hi excepted, which is an instruction of vectors.
; CHECK: define internal i32 @_Z6mul_hiii(i32 %a, i32 %b) #[[LATER:[0-9]+]]
; CHECK: define internal i32 @helper(i32 %a) #[[NOW:[0-9]+]]
; CHECK: attributes #[[LATER]] = { {{.*}}noinline
; CHECK: attributes #[[NOW]] = { alwaysinline }
define i32 @_Z6mul_hiii(i32 %a, i32 %b) {
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %p = mul i64 %x, %y
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}
define i32 @helper(i32 %a) noinline {
  %r = call i32 @_Z6mul_hiii(i32 %a, i32 3)
  ret i32 %r
}
