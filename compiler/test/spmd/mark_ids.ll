; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-mark-ids | FileCheck %s
; A global id, the first one's (parameter 3) plus the local one (parameter 0), is below 2^31.
; CHECK: add nuw nsw i32 %first_x, %x
define i32 @f(WORK_ITEM) {
  %id = add i32 %first_x, %x
  ret i32 %id
}

; An id of the group is its number times its size; in the NDRange plus the id in the group.
; CHECK-LABEL: @of_group(
; CHECK: mul nuw nsw i32 %group_y, %local_size_y
; CHECK: add nuw nsw i32 {{%.*}}, %y
define i32 @of_group(WORK_ITEM) {
  %first = mul i32 %group_y, %local_size_y
  %id = add i32 %first, %y
  ret i32 %id
}

; The first id of one dimension and the id of another are no id; nor is a sum with an argument.
; CHECK-LABEL: @mixed(
; CHECK: add i32 %first_x, %y
; CHECK: add i32 %first_x, %n
; CHECK: mul i32 %group_x, %local_size_y
define i32 @mixed(WORK_ITEM, i32 %n) {
  %a = add i32 %first_x, %y
  %b = add i32 %first_x, %n
  %c = mul i32 %group_x, %local_size_y
  %d = add i32 %a, %b
  %e = add i32 %c, %d
  ret i32 %e
}

; A difference behind a comparison that keeps it above zero, and one without.
; CHECK-LABEL: @differences(
; CHECK: guarded:
; CHECK: sub nuw i32 %x, %n
; CHECK: unguarded:
; CHECK: sub i32 %x, %n
define i32 @differences(WORK_ITEM, i32 %n) {
  %enough = icmp uge i32 %x, %n
  br i1 %enough, label %guarded, label %unguarded
guarded:
  %a = sub i32 %x, %n
  ret i32 %a
unguarded:
  %b = sub i32 %x, %n
  ret i32 %b
}
