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

; Scopes of which one is declared in the loop. A list of `noalias` keeps the other one. A pointer of
; both scopes is based on either: without the list it may alias anything, with half of it it would not
; alias what only keeps off the other one.
; CHECK-LABEL: @half(
; CHECK: load i32, ptr %p, {{.*}}!noalias [[KEPT:![0-9]+]]
; CHECK: store i32 %x, ptr %q
; CHECK-NOT: !alias.scope
; CHECK: ret void
define void @half(ptr %p, ptr %q, i1 %c) {
entry:
  call void @llvm.experimental.noalias.scope.decl(metadata !6)
  br label %loop
loop:
  call void @llvm.experimental.noalias.scope.decl(metadata !7)
  %x = load i32, ptr %p, !noalias !8
  store i32 %x, ptr %q, !alias.scope !8
  br i1 %c, label %loop, label %end
end:
  ret void
}
!6 = !{!9}
!7 = !{!10}
!8 = !{!9, !10}
!9 = distinct !{!9, !11, !"outside"}
!10 = distinct !{!10, !11, !"inside"}
!11 = distinct !{!11}

; Without a declaration, nothing tells how long a scope holds.
; CHECK-LABEL: @undeclared(
; CHECK-NOT: !noalias
; CHECK: ret void
define void @undeclared(ptr %p, ptr %q) {
  %x = load i32, ptr %p, !noalias !12
  store i32 %x, ptr %q
  ret void
}
!12 = !{!13}
!13 = distinct !{!13, !14}
!14 = distinct !{!14}
; CHECK: [[KEPT]] = !{[[OUTSIDE:![0-9]+]]}
; CHECK: [[OUTSIDE]] = distinct !{[[OUTSIDE]], {{.*}}!"outside"}
