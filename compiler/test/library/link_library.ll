; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-link-library %s | FileCheck %s
; RUN: %opt --target=rv32imafdc_zve32f --vlen=128 -passes=rvl-link-library %s | FileCheck %s
; RUN: %opt -passes=rvl-link-library %s | FileCheck --check-prefix=NOT-CALLED %s
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64-unknown-unknown"

; CHECK-LABEL: define spir_func i32 @f(
; CHECK: call spir_func i32 @_Z6rotatejj(
define spir_func i32 @f(i32 %a, i32 %b) {
  %r = call spir_func i32 @_Z6rotatejj(i32 %a, i32 %b)
  ret i32 %r
}

; The program's own function of such a name is the one that is called, under another name.
; CHECK-LABEL: define spir_func i32 @calls_own(
; CHECK: call spir_func i32 @_Z8popcountj.own(
; CHECK-LABEL: define spir_func i32 @_Z8popcountj.own(
define spir_func i32 @calls_own(i32 %a) {
  %r = call spir_func i32 @_Z8popcountj(i32 %a)
  ret i32 %r
}
define spir_func i32 @_Z8popcountj(i32 %a) {
  ret i32 %a
}

; Built-in functions that call such a function get the library's.
; CHECK-LABEL: define spir_func i32 @calls_own_multiplication(
; CHECK: call spir_func i32 @_Z6mul_hijj.own(
; CHECK-LABEL: define spir_func i32 @_Z6mul_hijj.own(
define spir_func i32 @calls_own_multiplication(i32 %a) {
  %r = call spir_func i32 @_Z6mul_hijj(i32 %a, i32 %a)
  ret i32 %r
}
define spir_func i32 @_Z6mul_hijj(i32 %a, i32 %b) {
  ret i32 %a
}

; A kernel keeps its name, by which the host finds it.
; CHECK-LABEL: define spir_kernel void @_Z3clzj(
define spir_kernel void @_Z3clzj(ptr addrspace(1) %p) {
  ret void
}

; A function that no library has stays undefined, and its call stays.
; CHECK-LABEL: define spir_func i32 @calls_unknown(
; CHECK: call spir_func i32 @_Z7unknownj(
define spir_func i32 @calls_unknown(i32 %a) {
  %r = call spir_func i32 @_Z7unknownj(i32 %a)
  ret i32 %r
}

; The relaxed version is for calls that allow it, one by one.
; CHECK-LABEL: define spir_func float @exact_and_relaxed(
; CHECK: call spir_func float @_Z3sinf(float %x)
; CHECK: call afn spir_func float @_Z13__relaxed_sinf(float %x)
; CHECK: call nnan ninf spir_func float @_Z3sinf(float %x)
define spir_func float @exact_and_relaxed(float %x) {
  %a = call spir_func float @_Z3sinf(float %x)
  %b = call afn spir_func float @_Z3sinf(float %x)
  %c = call nnan ninf spir_func float @_Z3sinf(float %x)
  %s = fadd float %a, %b
  %t = fadd float %s, %c
  ret float %t
}

; Not every function has one.
; CHECK-LABEL: define spir_func float @without_relaxed_version(
; CHECK: call afn spir_func float @_Z4fabsf(float %x)
define spir_func float @without_relaxed_version(float %x) {
  %r = call afn spir_func float @_Z4fabsf(float %x)
  ret float %r
}

; A program's own function has none either.
; CHECK-LABEL: define spir_func float @own_stays_exact(
; CHECK: call afn spir_func float @_Z3tanf.own(float %x)
define spir_func float @own_stays_exact(float %x) {
  %r = call afn spir_func float @_Z3tanf(float %x)
  ret float %r
}
define spir_func float @_Z3tanf(float %x) {
  ret float %x
}

; Functions that aren't called are not linked.
; NOT-CALLED-NOT: define {{.*}} float @_Z3cosf(
; NOT-CALLED-NOT: define {{.*}} i32 @_Z8popcountj(

; The body of a built-in function comes from the library, and so do those that it calls.
; CHECK-DAG: define {{.*}}i32 @_Z6rotatejj(i32 {{.*}}) [[MARKED:#[0-9]+]]{{.*}} {
; CHECK-DAG: define {{.*}}float @_Z3sinf(float
; CHECK-DAG: define {{.*}}float @_Z13__relaxed_sinf(float
; CHECK-DAG: define {{.*}}i32 @_Z6mul_hijj(i32
; CHECK-DAG: define {{.*}}float @_Z4fabsf(float
; CHECK-DAG: declare spir_func i32 @_Z7unknownj(i32)
; CHECK: attributes [[MARKED]] = {{.*}}"rivulet.library"
declare spir_func i32 @_Z6rotatejj(i32, i32)
declare spir_func i32 @_Z7unknownj(i32)
declare spir_func float @_Z3sinf(float)
declare spir_func float @_Z3cosf(float)
declare spir_func float @_Z4fabsf(float)
