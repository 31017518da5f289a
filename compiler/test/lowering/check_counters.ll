; SPDX-License-Identifier: Apache-2.0
; RUN: not %opt -passes=rvl-check-counters %s 2>&1 | FileCheck %s
; A kernel increments a counter or decrements it, not both.
; CHECK: error: kernel 'both' decrements its atomic counter 'c' that it increments
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
define spir_kernel void @both(target("spirv.Image", void, 1, 0, 0, 1, 0, 0, 0) %c) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 !kernel_arg_name !4 {
  %n = call spir_func i32 @_Z10atomic_inc19ocl_image2d_msaa_ro(target("spirv.Image", void, 1, 0, 0, 1, 0, 0, 0) %c)
  %m = call spir_func i32 @_Z10atomic_dec19ocl_image2d_msaa_ro(target("spirv.Image", void, 1, 0, 0, 1, 0, 0, 0) %c)
  ret void
}
declare spir_func i32 @_Z10atomic_inc19ocl_image2d_msaa_ro(target("spirv.Image", void, 1, 0, 0, 1, 0, 0, 0))
declare spir_func i32 @_Z10atomic_dec19ocl_image2d_msaa_ro(target("spirv.Image", void, 1, 0, 0, 1, 0, 0, 0))
!0 = !{i32 1}
!1 = !{!"none"}
!2 = !{!"counter32_t"}
!3 = !{!""}
!4 = !{!"c"}
; RUN: sed 's/atomic_dec/atomic_inc/; /^declare.*atomic_inc/d' %s | sed '$a declare spir_func i32 @_Z10atomic_inc19ocl_image2d_msaa_ro(target("spirv.Image", void, 1, 0, 0, 1, 0, 0, 0))' | %opt -passes=rvl-check-counters | FileCheck --check-prefix=ONE %s
; ONE: define spir_kernel void @both(
