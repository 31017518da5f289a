; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-address-space-scopes %s | FileCheck %s
; Global and local memory are apart: the accesses say so by scopes.
; CHECK-LABEL: @f(
; CHECK: load i32, ptr addrspace(1) %a{{.*}} !alias.scope [[GLOBAL:![0-9]+]], !noalias [[NOT_GLOBAL:![0-9]+]]
; CHECK: store i32 %v, ptr addrspace(3) %b{{.*}} !alias.scope [[LOCAL:![0-9]+]], !noalias [[NOT_LOCAL:![0-9]+]]
define void @f(ptr addrspace(1) %a, ptr addrspace(3) %b) {
  %v = load i32, ptr addrspace(1) %a
  store i32 %v, ptr addrspace(3) %b
  ret void
}

; Private memory, atomic and volatile accesses, and vectors, likewise.
; CHECK-LABEL: @kinds(
; CHECK: store volatile i32 1, ptr %p, {{.*}}!alias.scope [[PRIVATE:![0-9]+]], !noalias
; CHECK: atomicrmw add ptr addrspace(1) %a, {{.*}}!alias.scope [[GLOBAL]], !noalias [[NOT_GLOBAL]]
; CHECK: cmpxchg ptr addrspace(3) %b, {{.*}}!alias.scope [[LOCAL]], !noalias [[NOT_LOCAL]]
; CHECK: @llvm.vp.store{{.*}}!alias.scope [[GLOBAL]], !noalias [[NOT_GLOBAL]]
; CHECK: @llvm.vp.scatter{{.*}}!alias.scope [[LOCAL]], !noalias [[NOT_LOCAL]]
; CHECK: @llvm.memset{{.*}}!alias.scope [[LOCAL]], !noalias [[NOT_LOCAL]]
define void @kinds(ptr %p, ptr addrspace(1) %a, ptr addrspace(3) %b, <vscale x 2 x i32> %v, <4 x ptr addrspace(3)> %all) {
  store volatile i32 1, ptr %p
  %old = atomicrmw add ptr addrspace(1) %a, i32 1 monotonic
  %pair = cmpxchg ptr addrspace(3) %b, i32 1, i32 2 monotonic monotonic
  call void @llvm.vp.store.nxv2i32.p1(<vscale x 2 x i32> %v, ptr addrspace(1) %a, <vscale x 2 x i1> splat (i1 true), i32 2)
  call void @llvm.vp.scatter.v4i32.v4p3(<4 x i32> zeroinitializer, <4 x ptr addrspace(3)> %all, <4 x i1> splat (i1 true), i32 4)
  call void @llvm.memset.p3.i64(ptr addrspace(3) %b, i8 0, i64 16, i1 false)
  ret void
}

; Only loads of constant memory are invariant.
; CHECK-LABEL: @constant(
; CHECK: load i32, ptr addrspace(2) %c, {{.*}}!invariant.load
; CHECK: load i32, ptr addrspace(1) %a
; CHECK-NOT: invariant.load
; CHECK: ret i32
define i32 @constant(ptr addrspace(2) %c, ptr addrspace(1) %a) {
  %v = load i32, ptr addrspace(2) %c
  %w = load i32, ptr addrspace(1) %a
  %s = add i32 %v, %w
  ret i32 %s
}

; A generic pointer may point to all three, a copy accesses two spaces, and a call any.
; CHECK-LABEL: @unknown(
; CHECK-NOT: alias
; CHECK: ret void
declare void @g(ptr addrspace(1))
define void @unknown(ptr addrspace(4) %p, ptr addrspace(1) %a, ptr addrspace(3) %b) {
  store i32 1, ptr addrspace(4) %p
  call void @llvm.memcpy.p1.p3.i64(ptr addrspace(1) %a, ptr addrspace(3) %b, i64 16, i1 false)
  call void @g(ptr addrspace(1) %a)
  fence seq_cst
  ret void
}

; Scopes of `restrict` stay.
; CHECK-LABEL: @scoped(
; CHECK: load i32, ptr addrspace(1) %a, {{.*}}!alias.scope [[BOTH:![0-9]+]], !noalias [[NOT_GLOBAL]]
define i32 @scoped(ptr addrspace(1) %a) {
  %v = load i32, ptr addrspace(1) %a, !alias.scope !0
  ret i32 %v
}
!0 = !{!1}
!1 = distinct !{!1, !2, !"restrict"}
!2 = distinct !{!2}
; CHECK-DAG: [[BOTH]] = !{[[RESTRICT:![0-9]+]], [[SPACE:![0-9]+]]}
; CHECK-DAG: [[GLOBAL]] = !{[[SPACE]]}
; CHECK-DAG: [[RESTRICT]] = distinct !{[[RESTRICT]], {{.*}}!"restrict"}
