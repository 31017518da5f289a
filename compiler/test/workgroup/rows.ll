; SPDX-License-Identifier: Apache-2.0
; RUN: %opt --vlen=128 -passes=rvl-work-items,rvl-parallel-regions,rvl-rows %s | FileCheck %s
; Lanes of a vector instead of work-items.
; CHECK: call void @llvm.vp.store.nxv{{[0-9]+}}f32
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

; A call that no lanes can make: a loop over the row.
; CHECK-LABEL: @slow.
; CHECK-NOT: vp.store
; CHECK: call {{.*}}@opaque(
; CHECK: br i1
define spir_kernel void @slow(ptr addrspace(1) align 4 %out, ptr addrspace(3) align 4 %tile, float %by) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %index = call i64 @_Z13get_global_idj(i32 0)
  %at = getelementptr inbounds float, ptr addrspace(1) %out, i64 %index
  %v = call float @opaque(float %by) noduplicate
  store float %v, ptr addrspace(1) %at, align 4
  ret void
}
declare float @opaque(float)
declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32) convergent
!0 = !{i32 1, i32 3, i32 0}
!1 = !{!"none", !"none", !"none"}
!2 = !{!"float*", !"float*", !"float"}
!3 = !{!"", !"", !""}
