; SPDX-License-Identifier: Apache-2.0
; clang -O0 makes this of OpenCL C for SPIR-V: nothing tells how long a variable lives.
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent

; Saved are eight bytes of the address, which is live across the barrier, and the variable's 32.
define spir_kernel void @pointer(ptr addrspace(1) %out, ptr addrspace(1) %in) convergent {
  %a = alloca [8 x i32], align 4
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr [8 x i32], ptr addrspace(1) %in, i64 %x
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %a, ptr addrspace(1) align 4 %from, i64 32, i1 false)
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %x
  %chosen = load i32, ptr addrspace(1) %to, align 4
  %index = and i32 %chosen, 7
  %p = getelementptr [8 x i32], ptr %a, i64 0, i32 %index
  %shifted = lshr i32 %chosen, 3
  %other = and i32 %shifted, 7
  %q = getelementptr [8 x i32], ptr %a, i64 0, i32 %other
  store i32 %chosen, ptr %q, align 4
  call spir_func void @_Z7barrierj(i32 1)
  %value = load i32, ptr %p, align 4
  store i32 %value, ptr addrspace(1) %to, align 4
  ret void
}

; Saved are the table's 16 bytes, and the 32 bytes that its pointers point to.
define spir_kernel void @table(ptr addrspace(1) %out, ptr addrspace(1) %in) convergent {
  %rows = alloca [2 x ptr], align 8
  %a = alloca [4 x i32], align 4
  %b = alloca [4 x i32], align 4
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %from = getelementptr [8 x i32], ptr addrspace(1) %in, i64 %x
  %second = getelementptr [4 x i32], ptr addrspace(1) %from, i64 1
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %a, ptr addrspace(1) align 4 %from, i64 16, i1 false)
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %b, ptr addrspace(1) align 4 %second, i64 16, i1 false)
  %odd = and i64 %x, 1
  %even = xor i64 %odd, 1
  %row.odd = getelementptr [2 x ptr], ptr %rows, i64 0, i64 %odd
  %row.even = getelementptr [2 x ptr], ptr %rows, i64 0, i64 %even
  store ptr %a, ptr %row.odd, align 8
  store ptr %b, ptr %row.even, align 8
  call spir_func void @_Z7barrierj(i32 1)
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %x
  %chosen = load i32, ptr addrspace(1) %to, align 4
  %wanted = and i32 %chosen, 1
  %row = getelementptr [2 x ptr], ptr %rows, i64 0, i32 %wanted
  %p = load ptr, ptr %row, align 8
  %value = load i32, ptr %p, align 4
  store i32 %value, ptr addrspace(1) %to, align 4
  ret void
}

declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
