; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-keep-calls %s | FileCheck %s
; Ten functions that call each other three times are 30,000 instructions once they are inlined: the
; large ones stay functions, as far as it takes to keep the program small. What prints is the
; kernel's, and so is what calls it; a function that is called once is inlined.
; CHECK: define i32 @f0(i32 %x) {
; CHECK: define i32 @f6(i32 %x) [[KEPT:#[0-9]+]] {
; CHECK: define i32 @f9(i32 %x) {
; CHECK: define i32 @prints(i32 %x) {
; CHECK: define i32 @once(i32 %x) {
; CHECK: attributes [[KEPT]] = { "rivulet.kept-call" }
declare i32 @printf(ptr, ...)
define i32 @f0(i32 %x) {
  %r = mul i32 %x, 3
  ret i32 %r
}
define i32 @f1(i32 %x) {
  %a = call i32 @f0(i32 %x)
  %b = call i32 @f0(i32 %a)
  %c = call i32 @f0(i32 %b)
  ret i32 %c
}
define i32 @f2(i32 %x) {
  %a = call i32 @f1(i32 %x)
  %b = call i32 @f1(i32 %a)
  %c = call i32 @f1(i32 %b)
  ret i32 %c
}
define i32 @f3(i32 %x) {
  %a = call i32 @f2(i32 %x)
  %b = call i32 @f2(i32 %a)
  %c = call i32 @f2(i32 %b)
  ret i32 %c
}
define i32 @f4(i32 %x) {
  %a = call i32 @f3(i32 %x)
  %b = call i32 @f3(i32 %a)
  %c = call i32 @f3(i32 %b)
  ret i32 %c
}
define i32 @f5(i32 %x) {
  %a = call i32 @f4(i32 %x)
  %b = call i32 @f4(i32 %a)
  %c = call i32 @f4(i32 %b)
  ret i32 %c
}
define i32 @f6(i32 %x) {
  %a = call i32 @f5(i32 %x)
  %b = call i32 @f5(i32 %a)
  %c = call i32 @f5(i32 %b)
  ret i32 %c
}
define i32 @f7(i32 %x) {
  %a = call i32 @f6(i32 %x)
  %b = call i32 @f6(i32 %a)
  %c = call i32 @f6(i32 %b)
  ret i32 %c
}
define i32 @f8(i32 %x) {
  %a = call i32 @f7(i32 %x)
  %b = call i32 @f7(i32 %a)
  %c = call i32 @f7(i32 %b)
  ret i32 %c
}
define i32 @f9(i32 %x) {
  %a = call i32 @f8(i32 %x)
  %b = call i32 @f8(i32 %a)
  %c = call i32 @f8(i32 %b)
  ret i32 %c
}
define i32 @prints(i32 %x) {
  %a = call i32 @f9(i32 %x)
  %b = call i32 @f9(i32 %a)
  %c = call i32 (ptr, ...) @printf(ptr null, i32 %b)
  ret i32 %c
}
define i32 @once(i32 %x) {
  %a = call i32 @f9(i32 %x)
  %b = call i32 @prints(i32 %a)
  ret i32 %b
}
define spir_kernel void @k(ptr addrspace(1) %p) {
  %a = call i32 @f9(i32 1)
  %b = call i32 @once(i32 %a)
  %c = call i32 @prints(i32 %b)
  store i32 %c, ptr addrspace(1) %p
  ret void
}
