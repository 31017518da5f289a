; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-one-back-edge %s | FileCheck %s
; CHECK: .again:
define void @f(i1 %c, i1 %d, ptr %p) {
entry:
  br label %loop
loop:
  store i32 1, ptr %p
  br i1 %c, label %loop, label %rest
rest:
  br i1 %d, label %loop, label %end
end:
  ret void
}

; A loop with one back edge is left as it is.
; CHECK-LABEL: @one(
; CHECK-NOT: .again
; CHECK: ret void
define void @one(i1 %c, ptr %p) {
entry:
  br label %loop
loop:
  store i32 1, ptr %p
  br i1 %c, label %loop, label %end
end:
  ret void
}

; Each loop of a nest gets its own.
; CHECK-LABEL: @nest(
; CHECK-DAG: outer.again:
; CHECK-DAG: inner.again:
define void @nest(i1 %c, i1 %d, ptr %p) {
entry:
  br label %outer
outer:
  store i32 1, ptr %p
  br label %inner
inner:
  store i32 2, ptr %p
  br i1 %c, label %inner, label %more
more:
  br i1 %d, label %inner, label %rest
rest:
  br i1 %c, label %outer, label %last
last:
  br i1 %d, label %outer, label %end
end:
  ret void
}

; The new latch has the loop's hints.
; CHECK-LABEL: @hints(
; CHECK: loop.again:
; CHECK-NEXT: br label %loop, !llvm.loop [[HINTS:![0-9]+]]
define void @hints(i1 %c, i1 %d, ptr %p) {
entry:
  br label %loop
loop:
  store i32 1, ptr %p
  br i1 %c, label %loop, label %rest, !llvm.loop !0
rest:
  br i1 %d, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}

; A cycle with two entries is no loop.
; CHECK-LABEL: @irreducible(
; CHECK-NOT: .again
; CHECK: ret void
define void @irreducible(i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %b, label %end
b:
  br i1 %c, label %a, label %end
end:
  ret void
}
; CHECK: [[HINTS]] = distinct !{[[HINTS]], {{.*}}}
