; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-link-library %s | FileCheck %s
; The body of a built-in function comes from the library.
; CHECK: define {{.*}}i32 @_Z6rotatejj(i32 {{.*}}) {{.*}}{
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
define spir_func i32 @f(i32 %a, i32 %b) {
  %r = call spir_func i32 @_Z6rotatejj(i32 %a, i32 %b)
  ret i32 %r
}
declare spir_func i32 @_Z6rotatejj(i32, i32)
