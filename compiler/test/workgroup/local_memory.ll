; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-work-items,rvl-parallel-regions,rvl-rows,rvl-group-loops,rvl-local-memory %s | FileCheck %s
; One hart runs a group: no other hart accesses its local memory.
; CHECK-NOT: atomicrmw umax
define spir_kernel void @scale(ptr addrspace(1) align 4 %out, ptr addrspace(3) align 4 %tile, float %by) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %id = call i64 @_Z12get_local_idj(i32 0)
  %to = getelementptr inbounds float, ptr addrspace(3) %tile, i64 %id
  %old = atomicrmw umax ptr addrspace(3) %tile, i32 7 monotonic
  call void @_Z7barrierj(i32 1)
  %other = xor i64 %id, 1
  %from = getelementptr inbounds float, ptr addrspace(3) %tile, i64 %other
  %value = load float, ptr addrspace(3) %from, align 4
  %index = call i64 @_Z13get_global_idj(i32 0)
  %at = getelementptr inbounds float, ptr addrspace(1) %out, i64 %index
  store float %value, ptr addrspace(1) %at, align 4
  ret void
}

; Other harts do access global memory; exchanges, loads and stores of local memory are plain, too.
; CHECK-LABEL: @others(
; CHECK-DAG: atomicrmw umax ptr addrspace(1)
; CHECK-NOT: cmpxchg
; CHECK-NOT: load atomic
; CHECK-NOT: store atomic
; CHECK: {{^}}}
define spir_kernel void @others(ptr addrspace(1) align 4 %out, ptr addrspace(3) align 4 %tile, float %by) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  %old = atomicrmw umax ptr addrspace(1) %out, i32 7 monotonic
  %pair = cmpxchg ptr addrspace(3) %tile, i32 1, i32 2 seq_cst seq_cst
  %next = getelementptr i32, ptr addrspace(3) %tile, i64 1
  %seen = load atomic i32, ptr addrspace(3) %next acquire, align 4
  %far = getelementptr i32, ptr addrspace(3) %tile, i64 2
  store atomic i32 %seen, ptr addrspace(3) %far release, align 4
  ret void
}
declare i64 @_Z12get_local_idj(i32)
declare i64 @_Z13get_global_idj(i32)
declare void @_Z7barrierj(i32) convergent
!0 = !{i32 1, i32 3, i32 0}
!1 = !{!"none", !"none", !"none"}
!2 = !{!"float*", !"float*", !"float"}
!3 = !{!"", !"", !""}
