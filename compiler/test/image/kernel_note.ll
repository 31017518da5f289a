; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-kernel-note %s | FileCheck %s
; The note names the kernel and its arguments, and is kept.
; CHECK: @rivulet.note = internal constant {{.*}}first\00{{.*}}second\00{{.*}} section ".note.rivulet"
; CHECK: @llvm.used = appending global [3 x ptr] [ptr @rivulet.note, ptr @first, ptr @second]
define spir_kernel void @first(ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  ret void
}

; Every kernel is in the note, and no other function.
define spir_kernel void @second(ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !2 !kernel_arg_base_type !2 !kernel_arg_type_qual !3 {
  ret void
}
define spir_func void @helper() {
  ret void
}
!0 = !{i32 1}
!1 = !{!"none"}
!2 = !{!"int*"}
!3 = !{!""}
