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
