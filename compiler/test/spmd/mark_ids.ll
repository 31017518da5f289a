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

; The next id is at most 2^31; two ids later may be beyond, and so may ids of other parameters.
; CHECK-LABEL: @next(
; CHECK: add nuw nsw i32 %y, 1
; CHECK: add i32 %y, 2
; CHECK: add i32 %groups_x, 1
; CHECK: add nuw nsw i32 %x, %first_x
define i32 @next(WORK_ITEM) {
  %a = add i32 %y, 1
  %b = add i32 %y, 2
  %c = add i32 %groups_x, 1
  %d = add i32 %x, %first_x
  %e = mul i32 %a, %b
  %f = mul i32 %c, %d
  %g = mul i32 %e, %f
  ret i32 %g
}

; x - 3 as a sum wraps without sign only; its extension is of a number that isn't negative. A number
; that is no id may be any negative one, and so may one that is compared with its sign.
; CHECK-LABEL: @sums(
; CHECK: guarded:
; CHECK: [[A:%.*]] = add nsw i32 %x, -3
; CHECK: zext nneg i32 [[A]] to i64
; CHECK: nearly:
; CHECK: add i32 %x, -4
; CHECK: no_id:
; CHECK: add i32 %n, -3
; CHECK: signed:
; CHECK: add i32 %n, -3
define i64 @sums(WORK_ITEM, i32 %n) {
  %enough = icmp ugt i32 %x, 2
  br i1 %enough, label %guarded, label %test
guarded:
  %a = add i32 %x, -3
  %aw = zext i32 %a to i64
  br i1 %enough, label %nearly, label %nearly2
nearly:
  %b = add i32 %x, -4
  %bw = zext i32 %b to i64
  %s = add i64 %aw, %bw
  ret i64 %s
nearly2:
  ret i64 %aw
test:
  %enough2 = icmp ugt i32 %n, 2
  br i1 %enough2, label %no_id, label %test2
no_id:
  %c = add i32 %n, -3
  %cw = zext i32 %c to i64
  ret i64 %cw
test2:
  %enough3 = icmp sgt i32 %n, -9
  br i1 %enough3, label %signed, label %end
signed:
  %d = add i32 %n, -3
  %dw = zext i32 %d to i64
  ret i64 %dw
end:
  ret i64 0
}

; The other side of the branch, a block that is reached from elsewhere as well, and other widths.
; CHECK-LABEL: @no_guards(
; CHECK: less:
; CHECK: sub i32 %x, %n
; CHECK: shared:
; CHECK: sub i32 %x, %n
; CHECK: sub i64 %m, 3
define i32 @no_guards(WORK_ITEM, i32 %n, i64 %m, i1 %c) {
  br i1 %c, label %test, label %shared
test:
  %enough = icmp uge i32 %x, %n
  br i1 %enough, label %shared, label %less
less:
  %a = sub i32 %x, %n
  ret i32 %a
shared:
  %b = sub i32 %x, %n
  %large = icmp ugt i64 %m, 9
  br i1 %large, label %wide, label %end
wide:
  %w = sub i64 %m, 3
  %t = trunc i64 %w to i32
  ret i32 %t
end:
  ret i32 %b
}

; Unreachable blocks that follow each other end the search for a condition.
; CHECK-LABEL: @unreachable(
; CHECK: add i32 %n, -3
define i32 @unreachable(WORK_ITEM, i32 %n) {
  ret i32 0
dead:
  %a = add i32 %n, -3
  br label %dead2
dead2:
  br label %dead
}
