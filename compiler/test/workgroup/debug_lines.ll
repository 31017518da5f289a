; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-debug-lines %s | FileCheck %s
; A kernel made of work-item functions has the lines of the one that it is called after.
; CHECK: define spir_kernel void @first(ptr %p) !dbg [[KERNEL:![0-9]+]]
; CHECK: store i32 1, ptr %p, align 4, !dbg
; CHECK: [[KERNEL]] = distinct !DISubprogram(name: "first"
define spir_kernel void @first(ptr %p) {
  store i32 1, ptr %p, !dbg !5
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "first.cl", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "first", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 2, column: 5, scope: !3)
