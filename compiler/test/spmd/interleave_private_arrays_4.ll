; SPDX-License-Identifier: Apache-2.0
; RUN: %opt '-passes=rvl-interleave-private-arrays<4>' %s | FileCheck %s
; An array in private memory of which each access is known is marked.
; CHECK: %array = alloca [16 x i32]{{.*}}!rivulet.interleaved
; One with elements of 8 bytes isn't: they would be two vectors.
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret
define void @f(i32 %x, ptr addrspace(1) %out, i32 %k) {
  %array = alloca [16 x i32]
  %wide = alloca [16 x i64]
  %array.to = getelementptr inbounds [16 x i32], ptr %array, i32 0, i32 %k
  store i32 7, ptr %array.to
  %array.first = getelementptr inbounds [16 x i32], ptr %array, i32 0, i32 3
  %array.value = load i32, ptr %array.first
  store i32 %array.value, ptr addrspace(1) %out
  %wide.to = getelementptr inbounds [16 x i64], ptr %wide, i32 0, i32 %k
  store i64 7, ptr %wide.to, align 8
  %wide.first = getelementptr inbounds [16 x i64], ptr %wide, i32 0, i32 3
  %wide.value = load i64, ptr %wide.first, align 8
  store i64 %wide.value, ptr addrspace(1) %out
  ret void
}
