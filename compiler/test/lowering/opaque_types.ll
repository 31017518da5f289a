; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-opaque-types %s | FileCheck %s
; A sampler is a number.
; CHECK: define spir_func i32 @f(i32
; CHECK-NOT: target("spirv.Sampler")
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"
define spir_func target("spirv.Sampler") @f(target("spirv.Sampler") %s) {
  ret target("spirv.Sampler") %s
}
