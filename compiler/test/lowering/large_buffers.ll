; SPDX-License-Identifier: Apache-2.0
; RUN: %opt --vlen=128 -passes=rvl-large-buffers %s | FileCheck --implicit-check-not=@shared_function. %s
; RUN: %opt --target=rv32imafdc_zve32f --vlen=128 -passes=rvl-large-buffers %s | FileCheck --check-prefix=NONE %s
; RUN: %opt --target=rv64gc -passes=rvl-large-buffers %s | FileCheck --check-prefix=SCALAR %s
; A kernel is there a second time, marked as one that is not promised small buffers.
; CHECK: define spir_kernel void @f({{.*}}) [[PLAIN:#[0-9]+]]
; Functions that kernels call, and variables, are there once, for both.
; CHECK: define void @shared_function(
; CHECK: define spir_kernel void @f.large_buffers({{.*}}) [[MARKED:#[0-9]+]]
; CHECK: store i32 1, ptr addrspace(1) %p
; Addresses of 32 bits reach no large buffers.
; NONE-NOT: .large_buffers(
; Without lanes, only code that compares with bounds counts on small buffers.
; SCALAR: define spir_kernel void @f(
define spir_kernel void @f(ptr addrspace(1) %p) nounwind {
  store i32 1, ptr addrspace(1) %p
  ret void
}

; The arguments keep their numbers and names.
; CHECK: define spir_kernel void @sanitized.large_buffers(
; CHECK-SAME: ptr addrspace(1) "rivulet.argument"="0 p" "rivulet.bounds"="63" %p,
; CHECK-SAME: ptr addrspace(1) "rivulet.argument"="1 q" "rivulet.bounds"="64" %q,
; CHECK-SAME: ptr addrspace(1) "rivulet.argument"="2 r" "rivulet.bounds"="127" %r, i32 %x)
; CHECK-SAME: !reqd_work_group_size [[SIZE:![0-9]+]]
; CHECK: call void @shared_function(ptr addrspace(1) %q)
; CHECK: store i32 %x, ptr addrspace(3) @shared_variable
; SCALAR-NOT: @f.large_buffers
; SCALAR: define spir_kernel void @sanitized.large_buffers(
@shared_variable = internal addrspace(3) global i32 undef
define spir_kernel void @sanitized(ptr addrspace(1) "rivulet.bounds"="63" "rivulet.argument"="0 p" %p, ptr addrspace(1) "rivulet.bounds"="64" "rivulet.argument"="1 q" %q, ptr addrspace(1) "rivulet.bounds"="127" "rivulet.argument"="2 r" %r, i32 %x) "rivulet.sanitize-address" !reqd_work_group_size !0 {
  store i32 %x, ptr addrspace(1) %p
  store i32 %x, ptr addrspace(1) %r
  call void @shared_function(ptr addrspace(1) %q)
  store i32 %x, ptr addrspace(3) @shared_variable
  ret void
}

define void @shared_function(ptr addrspace(1) %p) {
  store i32 2, ptr addrspace(1) %p
  ret void
}

; A kernel without buffers gets its second version like the others.
; CHECK: define spir_kernel void @no_buffers.large_buffers(i32 %x)
define spir_kernel void @no_buffers(i32 %x) {
  ret void
}
; CHECK-NOT: attributes [[PLAIN]] = {{.*}}rivulet.large-buffers
; CHECK: attributes [[MARKED]] = {{.*}}"rivulet.large-buffers"
; CHECK: [[SIZE]] = !{i32 8, i32 1, i32 1}
; SCALAR-NOT: @no_buffers.large_buffers
!0 = !{i32 8, i32 1, i32 1}
