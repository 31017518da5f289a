; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-debug-lines %s | FileCheck %s
; A kernel made of work-item functions has the lines of the one that it is called after.
; CHECK: define spir_kernel void @first(ptr %p) !dbg [[KERNEL:![0-9]+]]
; CHECK: store i32 1, ptr %p, align 4, !dbg
define spir_kernel void @first(ptr %p) {
  store i32 1, ptr %p, !dbg !5
  ret void
}

; Lines of another function are dropped, from instructions, records, and the hints of loops; also where
; the instruction that they are attached to has no line itself.
; CHECK: define spir_kernel void @second(ptr %p, i1 %c) !dbg [[SECOND:![0-9]+]]
; CHECK: store i32 1, ptr %p, align 4, !dbg
; CHECK-NOT: #dbg_value
; CHECK: store i32 2, ptr %p, align 4{{$}}
; CHECK: br i1 %c, label %loop, label %end, !llvm.loop [[LOOP:![0-9]+]]
define spir_kernel void @second(ptr %p, i1 %c) {
entry:
  store i32 1, ptr %p, !dbg !7
  br label %loop
loop:
    #dbg_value(i32 2, !8, !DIExpression(), !5)
  store i32 2, ptr %p, !dbg !5
    #dbg_value(i32 3, !8, !DIExpression(), !5)
  br i1 %c, label %loop, label %end, !llvm.loop !9
end:
  ret void
}

; Without any line, there is nothing to attach.
; CHECK: define spir_kernel void @third(ptr %p) {
define spir_kernel void @third(ptr %p) {
  store i32 1, ptr %p
  ret void
}
; CHECK: [[KERNEL]] = distinct !DISubprogram(name: "first"
; CHECK: [[SECOND]] = distinct !DISubprogram(name: "second"
; CHECK: [[LOOP]] = distinct !{[[LOOP]], [[HINT:![0-9]+]]}
; CHECK: [[HINT]] = !{!"llvm.loop.mustprogress"}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "first.cl", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "first", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 2, column: 5, scope: !3)
!6 = distinct !DISubprogram(name: "second", file: !1, line: 4, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DILocation(line: 5, column: 5, scope: !6)
!8 = !DILocalVariable(name: "v", scope: !3, file: !1, line: 2, type: !11)
!9 = distinct !{!9, !5, !5, !10}
!10 = !{!"llvm.loop.mustprogress"}
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
