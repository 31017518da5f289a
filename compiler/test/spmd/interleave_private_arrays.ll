; SPDX-License-Identifier: Apache-2.0
; RUN: %opt '-passes=rvl-interleave-private-arrays' %s | FileCheck %s
; An array in private memory of which each access is known is marked.
; CHECK: %array = alloca [16 x i64]{{.*}}!rivulet.interleaved
define void @f(i32 %x, ptr addrspace(1) %out, i32 %k) {
  %array = alloca [16 x i64]
  %array.to = getelementptr inbounds [16 x i64], ptr %array, i32 0, i32 %k
  store i64 7, ptr %array.to, align 8
  %array.first = getelementptr inbounds [16 x i64], ptr %array, i32 0, i32 3
  %array.value = load i64, ptr %array.first, align 8
  store i64 %array.value, ptr addrspace(1) %out
  ret void
}
