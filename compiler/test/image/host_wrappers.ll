; SPDX-License-Identifier: Apache-2.0
; RUN: %opt --target=x86_64 -passes=rvl-host-wrappers %s | FileCheck %s
; The kernel's name is that of a function which hands its body to the dispatcher.
; CHECK-NOT: @helper.body
; CHECK: define spir_kernel void @first.body(
; CHECK: define void @helper(
; CHECK: define void @first(ptr %0, ptr %1, ptr %2) {
; CHECK: call void @rivulet.dispatch(ptr %0, ptr %1, ptr %2, ptr @first.body, i32 7)
define spir_kernel void @first(ptr %record, ptr %words, ptr %frame) prefix i32 7 {
  ret void
}
; RUN: %opt -passes=rvl-host-wrappers %s | FileCheck --check-prefix=DEVICE %s
; A device starts at a symbol of the dispatcher. Functions that are no kernels have no entry.
; DEVICE: define spir_kernel void @first(
; DEVICE-NOT: @first.body
define void @helper() {
  ret void
}
