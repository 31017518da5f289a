; SPDX-License-Identifier: Apache-2.0
; RUN: not %opt -passes=rvl-sub-group-functions %s 2>&1 | FileCheck %s
; Vectors of the hart are for functions of sub-groups only, also where they are hidden in assembly.
; CHECK: error: the hart's vectors belong to all work-items of a sub-group
; RUN: sed 's/, ^vr,/,/; s/<vscale x 2 x i32>/i32/g; s/=^vr/=r/' %s | %opt -passes=rvl-sub-group-functions | FileCheck --check-prefix=GOOD %s
; GOOD: define spir_func void @once(i32 %n) #[[ONCE:[0-9]+]]
; GOOD: attributes #[[ONCE]] = { convergent {{.*}}"rivulet-sub-group"
target triple = "riscv64-unknown-elf"
define spir_kernel void @test(ptr addrspace(1) %p) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 !kernel_arg_name !4 {
  call spir_func void @once(i32 3)
  call spir_func void @helper()
  ret void
}
define spir_func void @helper() {
  %v = call <vscale x 2 x i32> asm "vid.v $0", "=^vr"()
  ret void
}
define spir_func void @once(i32 %n) "rivulet-sub-group" {
  %v = alloca <vscale x 4 x i32>
  call void @llvm.riscv.vse.nxv4i32.p0.i64(<vscale x 4 x i32> zeroinitializer, ptr %v, i64 4)
  ret void
}
declare void @llvm.riscv.vse.nxv4i32.p0.i64(<vscale x 4 x i32>, ptr, i64)
!0 = !{i32 1}
!1 = !{!"none"}
!2 = !{!"int*"}
!3 = !{!""}
!4 = !{!"p"}
