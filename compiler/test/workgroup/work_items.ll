; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-work-items %s | FileCheck %s
; Ids are parameters of the work-item function.
; CHECK: define internal void @scale.work_item(i32 {{.*}}
; CHECK-NOT: call i64 @_Z12get_local_idj
; CHECK: call void @_Z7barrierj
define spir_kernel void @scale(ptr addrspace(1) align 4 %out, ptr addrspace(3) align 4 %tile, float %by) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %id = call i64 @_Z12get_local_idj(i32 0)
  %to = getelementptr inbounds float, ptr addrspace(3) %tile, i64 %id
  store float %by, ptr addrspace(3) %to, align 4
  call void @_Z7barrierj(i32 1)
  %other = xor i64 %id, 1
  %from = getelementptr inbounds float, ptr addrspace(3) %tile, i64 %other
  %value = load float, ptr addrspace(3) %from, align 4
  %index = call i64 @_Z13get_global_idj(i32 0)
  %at = getelementptr inbounds float, ptr addrspace(1) %out, i64 %index
  store float %value, ptr addrspace(1) %at, align 4
  ret void
}

; A kernel without barriers, and one that asks for no id.
; CHECK-LABEL: define internal void @fill.work_item(
; CHECK-NOT: call
; CHECK: store float %by, ptr addrspace(1) %out
define spir_kernel void @fill(ptr addrspace(1) align 4 %out, ptr addrspace(3) align 4 %tile, float %by) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  store float %by, ptr addrspace(1) %out, align 4
  ret void
}

; Any dimension may be asked for, and a number of it that no one has is 0 or 1.
; CHECK-LABEL: define internal void @dimension.work_item(
; CHECK-NOT: call
; CHECK: ret void
define spir_kernel void @dimension(ptr addrspace(1) align 4 %out, ptr addrspace(3) align 4 %tile, float %by) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %d = load i32, ptr addrspace(1) %out
  %id = call i64 @_Z12get_local_idj(i32 %d)
  %three = call i64 @_Z13get_global_idj(i32 3)
  %sum = add i64 %id, %three
  %at = getelementptr inbounds float, ptr addrspace(1) %out, i64 %sum
  store float %by, ptr addrspace(1) %at, align 4
  ret void
}
declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32) convergent
!0 = !{i32 1, i32 3, i32 0}
!1 = !{!"none", !"none", !"none"}
!2 = !{!"float*", !"float*", !"float"}
!3 = !{!"", !"", !""}
