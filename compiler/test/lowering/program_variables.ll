; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-prepare-inlining %s | FileCheck %s
; Debuggers find a program's variables without knowing address spaces: the variable and its compile
; unit share the location.
; CHECK: @counter = internal addrspace(1) global i32 3, !dbg [[COUNTER:![0-9]+]]
; CHECK: @row = internal addrspace(1) global [2 x i32] zeroinitializer, !dbg [[ROW:![0-9]+]]
; CHECK-DAG: [[COUNTER]] = !DIGlobalVariableExpression(var: {{![0-9]+}}, expr: !DIExpression())
; CHECK-DAG: [[ROW]] = !DIGlobalVariableExpression(var: {{![0-9]+}}, expr: !DIExpression(DW_OP_plus_uconst, 4))
; CHECK-DAG: globals: [[ALL:![0-9]+]])
; CHECK-DAG: [[ALL]] = !{[[COUNTER]], [[ROW]]}
@counter = addrspace(1) global i32 3, !dbg !3
@row = addrspace(1) global [2 x i32] zeroinitializer, !dbg !5
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: FullDebug, globals: !8)
!1 = !DIFile(filename: "counter.cl", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIGlobalVariableExpression(var: !4, expr: !DIExpression(DW_OP_constu, 1, DW_OP_swap, DW_OP_xderef))
!4 = distinct !DIGlobalVariable(name: "counter", scope: !0, file: !1, line: 1, type: !7, isLocal: false, isDefinition: true)
!5 = !DIGlobalVariableExpression(var: !6, expr: !DIExpression(DW_OP_plus_uconst, 4, DW_OP_constu, 1, DW_OP_swap, DW_OP_xderef))
!6 = distinct !DIGlobalVariable(name: "row", scope: !0, file: !1, line: 2, type: !7, isLocal: false, isDefinition: true)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !{!3, !5}
