; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-opaque-types %s | FileCheck %s
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
; Functions of a program with such a name but no such type, or with a body, stay.
; CHECK: call spir_func void @__rivulet_image_nothing()
; CHECK: call spir_func i32 @__rivulet_sampler_number(float 3.000000e+00)
; CHECK: call spir_func i32 @__rivulet_opaque_own(i32 3)
define spir_func void @own() {
  call spir_func void @__rivulet_image_nothing()
  %a = call spir_func i32 @__rivulet_sampler_number(float 3.0)
  %b = call spir_func i32 @__rivulet_opaque_own(i32 3)
  ret void
}
declare spir_func void @__rivulet_image_nothing()
declare spir_func i32 @__rivulet_sampler_number(float)
define spir_func i32 @__rivulet_opaque_own(i32 %n) {
  ret i32 %n
}

; A sampler is a number, everything else a pointer to global memory.
; CHECK: define spir_func i32 @f(i32
; CHECK-NOT: target("spirv.Sampler")
define spir_func target("spirv.Sampler") @f(target("spirv.Sampler") %s) {
  ret target("spirv.Sampler") %s
}
; CHECK: define spir_func void @g(ptr addrspace(1) %image, ptr addrspace(1) %event)
; CHECK: alloca ptr addrspace(1)
define spir_func void @g(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %image, target("spirv.Event") %event) {
  %slot = alloca target("spirv.Event")
  store target("spirv.Event") %event, ptr %slot
  ret void
}

; A conversion is gone, with its declaration.
; CHECK: define spir_func i32 @bits(i32 %s)
; CHECK-NEXT: ret i32 %s
define spir_func i32 @bits(target("spirv.Sampler") %s) {
  %bits = call spir_func i32 @_Z17__rivulet_sampler11ocl_sampler(target("spirv.Sampler") %s)
  ret i32 %bits
}
; CHECK-NOT: __rivulet_sampler11
declare spir_func i32 @_Z17__rivulet_sampler11ocl_sampler(target("spirv.Sampler"))
