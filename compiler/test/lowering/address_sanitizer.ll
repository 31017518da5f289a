; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-address-sanitizer %s | FileCheck %s
; The bounds come from the launch record, are compared once for both accesses, and the work-item
; that is out of bounds says so.
; CHECK: @site{{.*}}c"load of 4 bytes\0A\0A0 4 -32\0A0\0Aargument 0 p\0A\00"
; CHECK-LABEL: @f(
; CHECK: [[LIMIT:%.*]] = call {{.*}}i32 @rivulet.index_limit.i32(i64 0, i64 4, i64 4, i64 2147483648)
; CHECK: icmp uge i32 %i, [[LIMIT]]
; CHECK: call i32 @rivulet.index_least.i32(
; CHECK: call void @rivulet.bad_access.i32(ptr addrspace(2) @site, i32 %i,
; CHECK: load i32, ptr addrspace(1) %at
; CHECK-NOT: icmp
; CHECK: store i32 1, ptr addrspace(1) %at
; CHECK: ret void
define void @f(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p, i32 %i) "rivulet.sanitize-address" {
  %wide = sext i32 %i to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  %value = load i32, ptr addrspace(1) %at
  store i32 1, ptr addrspace(1) %at
  ret void
}
; A function without the attribute is left alone.
; CHECK-LABEL: @g(
; CHECK-NEXT: load
; CHECK-NEXT: ret
define void @g(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p) {
  %value = load i32, ptr addrspace(1) %p
  ret void
}
; A variable's size is known; what is always in bounds isn't checked. Others look up the address.
; CHECK-LABEL: @h(
; CHECK: icmp ugt i64 %i, 4
; CHECK: load i32, ptr %at
; CHECK: call i1 @rivulet.is_allocated(
; CHECK: store i32 %value, ptr addrspace(1) %q
define i32 @h(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p, i64 %i, i64 %j) "rivulet.sanitize-address" {
  %a = alloca [5 x i32]
  %at = getelementptr i32, ptr %a, i64 %i
  %value = load i32, ptr %at
  %q = inttoptr i64 %j to ptr addrspace(1)
  store i32 %value, ptr addrspace(1) %q
  %inside = and i64 %i, 3
  %sure = getelementptr i32, ptr %a, i64 %inside
  %result = load i32, ptr %sure
  ret i32 %result
}
