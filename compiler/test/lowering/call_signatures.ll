; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-call-signatures %s | FileCheck %s
; Functions that stay functions have scalars for vectors and structures, and are told what the
; work-item would be asked. Structures with gaps stay in memory.
%pair = type { i32, float }
%gap = type { i8, i32 }
declare i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define void @caller(
; CHECK: %[[ID:.*]] = call i64 @_Z13get_global_idj(i32 0)
; CHECK: %[[R:.*]] = call { i32, float } @f(float %{{.*}}, float %{{.*}}, i32 %{{.*}}, float %{{.*}}, ptr %{{.*}}, i64 %[[ID]])
; CHECK: extractvalue { i32, float } %[[R]], 0
define void @caller(ptr %out, <2 x float> %v, ptr %in, ptr %gap) {
  call void @f(ptr sret(%pair) align 4 %out, <2 x float> %v, ptr byval(%pair) align 4 %in, ptr byval(%gap) align 4 %gap)
  ret void
}

; CHECK-LABEL: define <2 x float> @inlined(<2 x float> %v)
define <2 x float> @inlined(<2 x float> %v) {
  ret <2 x float> %v
}

; CHECK: define { i32, float } @f(float %0, float %1, i32 %2, float %3, ptr align 4 %g, i64 %4)
; CHECK-NOT: get_global_id
; CHECK: ret { i32, float }
define void @f(ptr sret(%pair) align 4 %r, <2 x float> %v, ptr byval(%pair) align 4 %p, ptr byval(%gap) align 4 %g) "rivulet.kept-call" {
  %id = call i64 @_Z13get_global_idj(i32 0)
  %id32 = trunc i64 %id to i32
  %x = extractelement <2 x float> %v, i32 1
  %old = load i32, ptr %p
  %sum = add i32 %old, %id32
  store i32 %sum, ptr %r
  %second = getelementptr i8, ptr %r, i64 4
  store float %x, ptr %second
  store i8 1, ptr %g
  ret void
}

; Attributes of floating-point numbers end with the type: halves are passed as i16.
; CHECK: define i16 @half(i16 %{{.*}}, float nofpclass(nan) %{{.*}})
define half @half(half nofpclass(nan) %h, float nofpclass(nan) %f) "rivulet.kept-call" {
  ret half %h
}
