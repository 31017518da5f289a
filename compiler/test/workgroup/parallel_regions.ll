; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-work-items,rvl-parallel-regions %s | FileCheck %s
; A function ends at the barrier, another one goes on behind it.
; CHECK: define internal {{.*}}@scale.work_item.0(
; CHECK: define internal {{.*}}@scale.work_item.1(
; CHECK-NOT: call void @_Z7barrierj
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

; Without a barrier there is one region, and with one in a loop the loop is in both parts.
; CHECK-LABEL: define internal {{.*}}@fill.work_item.0(
; CHECK: store float
; CHECK-NOT: @fill.work_item.1
define spir_kernel void @fill(ptr addrspace(1) align 4 %out, ptr addrspace(3) align 4 %tile, float %by) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %index = call i64 @_Z13get_global_idj(i32 0)
  %at = getelementptr inbounds float, ptr addrspace(1) %out, i64 %index
  store float %by, ptr addrspace(1) %at, align 4
  ret void
}

; A value of each work-item that is live across the barrier is in memory: stored by one part, loaded by
; the other.
; CHECK-LABEL: define internal {{.*}}@kept.work_item.0(
; CHECK: [[V:%.*]] = load volatile float, ptr addrspace(1)
; CHECK: store float [[V]], ptr {{.*}}%
; CHECK-LABEL: define internal {{.*}}@kept.work_item.1(
; CHECK: [[W:%.*]] = load float, ptr %
; CHECK: store float [[W]], ptr addrspace(1)
define spir_kernel void @kept(ptr addrspace(1) align 4 %out, ptr addrspace(3) align 4 %tile, float %by) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %index = call i64 @_Z13get_global_idj(i32 0)
  %at = getelementptr inbounds float, ptr addrspace(1) %out, i64 %index
  %v = load volatile float, ptr addrspace(1) %at
  call void @_Z7barrierj(i32 1)
  store float %v, ptr addrspace(1) %at, align 4
  ret void
}
declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32) convergent
!0 = !{i32 1, i32 3, i32 0}
!1 = !{!"none", !"none", !"none"}
!2 = !{!"float*", !"float*", !"float"}
!3 = !{!"", !"", !""}
