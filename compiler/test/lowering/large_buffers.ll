; SPDX-License-Identifier: Apache-2.0
; RUN: %opt --vlen=128 -passes=rvl-large-buffers %s | FileCheck %s
; RUN: %opt --target=rv32imafdc_zve32f --vlen=128 -passes=rvl-large-buffers %s | FileCheck --check-prefix=NONE %s
; A kernel is there a second time, marked as one that is not promised small buffers.
; CHECK: define spir_kernel void @f({{.*}}) [[PLAIN:#[0-9]+]]
; CHECK: define spir_kernel void @f.large_buffers({{.*}}) [[MARKED:#[0-9]+]]
; CHECK: store i32 1, ptr addrspace(1) %p
; CHECK-NOT: attributes [[PLAIN]] = {{.*}}rivulet.large-buffers
; CHECK: attributes [[MARKED]] = {{.*}}"rivulet.large-buffers"
; Addresses of 32 bits reach no large buffers.
; NONE-NOT: @f.large_buffers
define spir_kernel void @f(ptr addrspace(1) %p) nounwind {
  store i32 1, ptr addrspace(1) %p
  ret void
}
