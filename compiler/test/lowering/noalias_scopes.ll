; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-noalias-scopes %s | FileCheck %s
; A scope that is declared in each iteration says nothing over iterations.
; CHECK-LABEL: @f(
; CHECK-NOT: !noalias
; CHECK-NOT: noalias.scope.decl
; CHECK: ret void
define void @f(ptr %p, ptr %q, i1 %c) {
entry:
  br label %loop
loop:
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %x = load i32, ptr %p, !noalias !0
  store i32 %x, ptr %q
  br i1 %c, label %loop, label %end
end:
  ret void
}
declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}

; One that is declared once holds in the loop, too.
; CHECK-LABEL: @before(
; CHECK: load i32, ptr %p, {{.*}}!noalias
define void @before(ptr %p, ptr %q, i1 %c) {
entry:
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  br label %loop
loop:
  %x = load i32, ptr %p, !noalias !3
  store i32 %x, ptr %q
  br i1 %c, label %loop, label %end
end:
  ret void
}
!3 = !{!4}
!4 = distinct !{!4, !5}
!5 = distinct !{!5}
