; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-interleave-private-arrays %s | FileCheck --check-prefixes=CHECK,WIDE %s
; RUN: %opt --target=rv32imafdc_zve32f --vlen=128 -passes=rvl-interleave-private-arrays %s | FileCheck --check-prefixes=CHECK,NARROW %s
; Arrays in private memory of which each access is known are marked, with elements of up to 8 bytes.
; Where the vector unit has none of those, elements of 8 bytes would be two vectors.
; CHECK: %array = alloca [16 x i32]{{.*}}!rivulet.interleaved
; WIDE: %wide = alloca [16 x i64]{{.*}}!rivulet.interleaved
; NARROW: %wide = alloca [16 x i64]
; NARROW-NOT: !rivulet.interleaved
define void @elements(i32 %x, ptr addrspace(1) %out, i32 %k) {
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

; An array whose address leaves the function is not.
; CHECK-LABEL: define void @escapes(
; CHECK: %array = alloca [16 x i32]
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret void
define void @escapes(i32 %x, ptr addrspace(1) %out, i32 %k) {
  %array = alloca [16 x i32]
  store ptr %array, ptr addrspace(1) %out
  ret void
}
