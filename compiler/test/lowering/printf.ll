; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-printf %s | FileCheck %s
; A call takes its bytes of the launch's buffer, and writes format and value there.
; CHECK: atomicrmw add ptr
; CHECK: store i32 %n, ptr
; CHECK-NOT: call {{.*}}@printf
@format = internal addrspace(2) constant [4 x i8] c"%d\0A\00"
define void @f(ptr %record, ptr %words, ptr %frame, i32 %n) {
  %printed = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %n)
  ret void
}
declare i32 @printf(ptr addrspace(2), ...)
