; SPDX-License-Identifier: Apache-2.0
; RUN: not %opt -verify-each -passes=rvl-test-invalid,simplifycfg %s 2>&1 | FileCheck %s
; Invalid code is an internal error that names the pass which made it, and no crash.
; CHECK: rivulet-opt: internal compiler error: rvl-test-invalid made invalid code of 'f': Instruction does not dominate all uses!
; CHECK-NOT: Stack dump
define i32 @f(i32 %x) {
  %a = add i32 %x, 1
  %b = mul i32 %a, %a
  ret i32 %b
}
