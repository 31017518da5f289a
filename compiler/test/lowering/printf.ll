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

; A format alone: its head has 8 bytes. A value of 2 bytes takes a grain of 4, one of 32 bytes eight.
; CHECK-LABEL: @bytes(
; CHECK: atomicrmw add ptr {{.*}}, i32 8 monotonic
; CHECK: atomicrmw add ptr {{.*}}, i32 44 monotonic
; CHECK: store half %h, ptr
; CHECK: store <4 x i64> %v, ptr
define void @bytes(ptr %record, ptr %words, ptr %frame, half %h, <4 x i64> %v) {
  %a = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format)
  %b = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, half %h, <4 x i64> %v)
  ret void
}

; The result is -1 if the record was lost.
; CHECK-LABEL: @result(
; CHECK: [[LOST:%.*]] = phi i1
; CHECK: [[RESULT:%.*]] = sext i1 %{{.*}} to i32
; CHECK: ret i32 [[RESULT]]
define i32 @result(ptr %record, ptr %words, ptr %frame) {
  %a = call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format)
  ret i32 %a
}

; A program's own printf is a function as others.
; RUN: sed 's/^declare i32 @printf.*/define i32 @printf(ptr addrspace(2) %f, ...) { ret i32 0 }/' %s | %opt -passes=rvl-printf | FileCheck --check-prefix=OWN %s
; OWN-NOT: atomicrmw
; OWN: call {{.*}}@printf
