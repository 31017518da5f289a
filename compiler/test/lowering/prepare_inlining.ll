; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-prepare-inlining %s | FileCheck %s
; Every function but kernels is inlined, mul_hi excepted, which is an instruction of vectors.
; CHECK: @llvm.compiler.used = appending global
; CHECK: @used = internal addrspace(2) constant i32 3
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(2) @used to ptr)], section "llvm.metadata"
@used = addrspace(2) constant i32 3

; CHECK: define internal i32 @_Z6mul_hiii(i32 %a, i32 %b) #[[LATER:[0-9]+]]
; CHECK: define internal i32 @helper(i32 %a) #[[NOW:[0-9]+]]
; CHECK-NEXT: call i32 @_Z6mul_hiii({{.*}}) #[[CALL:[0-9]+]]
define i32 @_Z6mul_hiii(i32 %a, i32 %b) {
  %x = sext i32 %a to i64
  %y = sext i32 %b to i64
  %p = mul i64 %x, %y
  %h = lshr i64 %p, 32
  %r = trunc i64 %h to i32
  ret i32 %r
}
define i32 @helper(i32 %a) noinline {
  %r = call i32 @_Z6mul_hiii(i32 %a, i32 3) noinline
  ret i32 %r
}

; A function that isn't optimised is inlined as well: a kernel is vectorised as one function.
; CHECK: define internal i32 @slow(i32 %a) #[[NOW]]
define spir_func i32 @slow(i32 %a) noinline optnone {
  ret i32 %a
}

; A kernel keeps its linkage; declarations stay what they are.
; CHECK: define void @kernel(ptr addrspace(1) %p) #[[KERNEL:[0-9]+]]
; CHECK: call i32 @helper(i32 %n) #[[CALL]]
; CHECK: call i32 @declared(i32 %m) #[[CALL]]
; CHECK: call i32 @llvm.umax.i32({{[^)]*}}){{$}}
; CHECK: declare i32 @declared(i32)
define spir_kernel void @kernel(ptr addrspace(1) %p) nounwind {
  %n = load i32, ptr addrspace(1) %p
  %m = call i32 @helper(i32 %n)
  %k = call i32 @declared(i32 %m)
  %l = call i32 @llvm.umax.i32(i32 %k, i32 7)
  store i32 %l, ptr addrspace(1) %p
  ret void
}
declare i32 @declared(i32)

; CHECK-DAG: attributes #[[LATER]] = { {{.*}}noinline
; CHECK-DAG: attributes #[[NOW]] = { alwaysinline }
; CHECK-DAG: attributes #[[KERNEL]] = { nounwind }
; CHECK-DAG: attributes #[[CALL]] = { nobuiltin }
