; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-opaque-types,rvl-atomic-counters %s | FileCheck %s
; A counter is a word in device memory: to count is an atomic sum.
; CHECK: atomicrmw add ptr addrspace(1) {{.*}}, i32 1
; CHECK-NOT: call
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
define spir_func i32 @f(target("spirv.Image", void, 1, 0, 0, 1, 0, 0, 0) %c) {
  %n = call spir_func i32 @_Z10atomic_inc19ocl_image2d_msaa_ro(target("spirv.Image", void, 1, 0, 0, 1, 0, 0, 0) %c)
  ret i32 %n
}
declare spir_func i32 @_Z10atomic_inc19ocl_image2d_msaa_ro(target("spirv.Image", void, 1, 0, 0, 1, 0, 0, 0))

; Decrements are differences; counters of 64 bits have words of 64 bits.
; CHECK-LABEL: @down(
; CHECK: atomicrmw sub ptr addrspace(1) {{.*}}, i64 1 monotonic, align 8
; CHECK-NOT: call
define spir_func i64 @down(target("spirv.Image", void, 1, 0, 1, 1, 0, 0, 0) %c) {
  %n = call spir_func i64 @_Z10atomic_dec25ocl_image2d_array_msaa_ro(target("spirv.Image", void, 1, 0, 1, 1, 0, 0, 0) %c)
  ret i64 %n
}
declare spir_func i64 @_Z10atomic_dec25ocl_image2d_array_msaa_ro(target("spirv.Image", void, 1, 0, 1, 1, 0, 0, 0))

; The functions of these names for pointers are the built-in library's, and a program's own stay.
; CHECK-LABEL: @pointer(
; CHECK: call spir_func i32 @_Z10atomic_incPU3AS1Vi(
; CHECK: call spir_func i32 @_Z14my_atomic_inc19ocl_image2d_msaa_ro(
; CHECK-NOT: atomicrmw
; CHECK: ret
define spir_func i32 @pointer(ptr addrspace(1) %p, target("spirv.Image", void, 1, 0, 0, 1, 0, 0, 0) %c) {
  %n = call spir_func i32 @_Z10atomic_incPU3AS1Vi(ptr addrspace(1) %p)
  %m = call spir_func i32 @_Z14my_atomic_inc19ocl_image2d_msaa_ro(target("spirv.Image", void, 1, 0, 0, 1, 0, 0, 0) %c)
  ret i32 %n
}
declare spir_func i32 @_Z10atomic_incPU3AS1Vi(ptr addrspace(1))
declare spir_func i32 @_Z14my_atomic_inc19ocl_image2d_msaa_ro(target("spirv.Image", void, 1, 0, 0, 1, 0, 0, 0))
