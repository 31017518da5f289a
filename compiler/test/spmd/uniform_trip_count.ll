; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-uniform-trip-count | FileCheck %s
; RUN: %heads %s | %opt --target=rv32gcv --vlen=128 -passes=rvl-uniform-trip-count | FileCheck --check-prefix=RV32 %s
; 32-bit devices would need two registers for the counter.
; RV32-NOT: %counter
; From id to id + 5: all lanes count from 0 to 5.
; CHECK: icmp slt i64 {{.*}}, 5
define void @f(WORK_ITEM, ptr %p, i1 %c, i1 %d) {
entry:
  %to = add nsw i32 %x, 5
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %to
  br i1 %again, label %loop, label %end
end:
  ret void
}

; The number of iterations differs between lanes.
; CHECK-LABEL: @divergent(
; CHECK-NOT: i64
; CHECK: ret void
define void @divergent(WORK_ITEM, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %x
  br i1 %again, label %loop, label %end
end:
  ret void
}

; A sum that may wrap is no whole number.
; CHECK-LABEL: @wraps(
; CHECK-NOT: i64
; CHECK: ret void
define void @wraps(WORK_ITEM, ptr %p) {
entry:
  %to = add i32 %x, 5
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %to
  br i1 %again, label %loop, label %end
end:
  ret void
}

; The index is compared before it is raised, the limit comes first, steps are larger than 1.
; CHECK-LABEL: @header(
; CHECK: [[COUNT:%.*]] = phi i64 [ 0, %entry ], [ [[NEXT:%.*]], %body ]
; CHECK: [[NEXT]] = add nsw i64 [[COUNT]], 3
; CHECK: icmp slt i64 [[COUNT]], {{%.*}}
define void @header(WORK_ITEM, ptr %p, i32 %r) {
entry:
  %from = sub nsw i32 %x, %r
  %to = add nsw i32 %x, %r
  br label %loop
loop:
  %i = phi i32 [ %from, %entry ], [ %next, %body ]
  %more = icmp sgt i32 %to, %i
  br i1 %more, label %body, label %end
body:
  store i32 %i, ptr %p
  %next = add nsw i32 %i, 3
  br label %loop
end:
  ret void
}

; From x * n to x * n + n: the product drops out.
; CHECK-LABEL: @product(
; CHECK: [[N:%.*]] = sext i32 %n to i64
; CHECK: icmp ne i64 {{%.*}}, {{%.*}}
define void @product(WORK_ITEM, ptr %p, i32 %n) {
entry:
  %from = mul nsw i32 %x, %n
  %to = add nsw i32 %from, %n
  br label %loop
loop:
  %i = phi i32 [ %from, %entry ], [ %next, %loop ]
  store i32 %i, ptr %p
  %next = add nsw i32 %i, 1
  %again = icmp ne i32 %next, %to
  br i1 %again, label %loop, label %end
end:
  ret void
}

; An index that may wrap, an unsigned comparison, and an index of 64 bits.
; CHECK-LABEL: @index_wraps(
; CHECK-NOT: i64
; CHECK: ret void
define void @index_wraps(WORK_ITEM, ptr %p) {
entry:
  %to = add nsw i32 %x, 5
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  store i32 %i, ptr %p
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %to
  br i1 %again, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @unsigned(
; CHECK-NOT: i64
; CHECK: ret void
define void @unsigned(WORK_ITEM, ptr %p) {
entry:
  %to = add nsw i32 %x, 5
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  store i32 %i, ptr %p
  %next = add nsw i32 %i, 1
  %again = icmp ult i32 %next, %to
  br i1 %again, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @wide(
; CHECK-NOT: %counter
; CHECK: ret void
define void @wide(WORK_ITEM, ptr %p) {
entry:
  %from = zext i32 %x to i64
  %to = add nsw i64 %from, 5
  br label %loop
loop:
  %i = phi i64 [ %from, %entry ], [ %next, %loop ]
  store i64 %i, ptr %p
  %next = add nsw i64 %i, 1
  %again = icmp slt i64 %next, %to
  br i1 %again, label %loop, label %end
end:
  ret void
}

; A step that isn't known, a condition with another use, and a distance that differs between lanes.
; CHECK-LABEL: @step(
; CHECK-NOT: i64
; CHECK: ret void
define void @step(WORK_ITEM, ptr %p, i32 %by) {
entry:
  %to = add nsw i32 %x, 5
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  store i32 %i, ptr %p
  %next = add nsw i32 %i, %by
  %again = icmp slt i32 %next, %to
  br i1 %again, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @used_twice(
; CHECK-NOT: i64
; CHECK: ret void
define void @used_twice(WORK_ITEM, ptr %p) {
entry:
  %to = add nsw i32 %x, 5
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %to
  store i1 %again, ptr %p
  br i1 %again, label %loop, label %end
end:
  ret void
}
; CHECK-LABEL: @loaded(
; CHECK-NOT: %counter
; CHECK: ret void
define void @loaded(WORK_ITEM, ptr %p) {
entry:
  %at = getelementptr i32, ptr %p, i32 %x
  %length = load i32, ptr %at
  %to = add nsw i32 %x, %length
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  store i32 %i, ptr %p
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %to
  br i1 %again, label %loop, label %end
end:
  ret void
}

; The same for all lanes: nothing to gain.
; CHECK-LABEL: @uniform(
; CHECK-NOT: i64
; CHECK: ret void
define void @uniform(WORK_ITEM, ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store i32 %i, ptr %p
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %global_size_x
  br i1 %again, label %loop, label %end
end:
  ret void
}
