; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-integer-promotion %s | FileCheck %s
; A sum of 63 bits becomes one of 64, whose highest bit is cleared.
; CHECK: add i64
; CHECK: and i64 {{.*}}, 9223372036854775807
; CHECK: ret
define i1 @f(i64 %v, i64 %w) {
  %a = trunc i64 %v to i63
  %b = trunc i64 %w to i63
  %s = add i63 %a, %b
  %c = icmp ugt i63 %s, 5
  ret i1 %c
}
