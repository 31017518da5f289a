; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-flatten-address-spaces %s | FileCheck %s
; Variables, the addresses in them, parameters, members of structures and intrinsics' names.
; CHECK-NOT: addrspace
; CHECK: @table = internal constant [2 x ptr] [ptr @word, ptr getelementptr (i8, ptr @word, i64 4)]
; CHECK: @word = internal global i64 0
; CHECK-NOT: addrspace
@table = internal addrspace(2) constant [2 x ptr addrspace(4)] [ptr addrspace(4) addrspacecast (ptr addrspace(1) @word to ptr addrspace(4)), ptr addrspace(4) getelementptr (i8, ptr addrspace(4) addrspacecast (ptr addrspace(1) @word to ptr addrspace(4)), i64 4)]
@word = internal addrspace(1) global i64 0

; CHECK: define void @f(ptr %a, ptr %b)
; CHECK-NOT: addrspace
define void @f(ptr addrspace(1) %a, ptr addrspace(3) %b) {
  %v = load i32, ptr addrspace(1) %a
  store i32 %v, ptr addrspace(3) %b
  ret void
}

; CHECK: define ptr @casts({ ptr, i32 } %s)
; CHECK-NEXT: extractvalue
; CHECK-NEXT: getelementptr
; CHECK-NEXT: call void @llvm.memset.p0.i64(
; CHECK-NEXT: ret ptr
define ptr addrspace(4) @casts({ ptr addrspace(1), i32 } %s) {
  %p = extractvalue { ptr addrspace(1), i32 } %s, 0
  %generic = addrspacecast ptr addrspace(1) %p to ptr addrspace(4)
  %q = getelementptr i32, ptr addrspace(4) %generic, i64 3
  call void @llvm.memset.p4.i64(ptr addrspace(4) %q, i8 0, i64 16, i1 false)
  ret ptr addrspace(4) %q
}
; CHECK-NOT: addrspace
