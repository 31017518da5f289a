; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-loop-results | FileCheck %s
; An address of which lanes leave the loop one by one leaves it as the index of 32 bits that it is made
; of, here the same for both exits.
; CHECK-LABEL: @probe(
; CHECK: loop:
; CHECK: end:
; CHECK-NEXT: %at.left = phi i32 [ %slot, %loop ], [ %slot, %more ]
; CHECK-NEXT: %found = phi i1
; CHECK-NEXT: [[WIDE:%.*]] = zext i32 %at.left to i64
; CHECK-NEXT: [[AT:%.*]] = getelementptr inbounds nuw <2 x i32>, ptr addrspace(1) %table, i64 [[WIDE]]
; CHECK-NEXT: getelementptr i8, ptr addrspace(1) [[AT]], i64 4
define i32 @probe(WORK_ITEM, ptr addrspace(1) %table, i32 %mask) {
entry:
  br label %loop
loop:
  %slot = phi i32 [ %x, %entry ], [ %next, %more ]
  %wide = zext i32 %slot to i64
  %place = getelementptr inbounds nuw <2 x i32>, ptr addrspace(1) %table, i64 %wide
  %key = load i32, ptr addrspace(1) %place
  %empty = icmp eq i32 %key, 0
  br i1 %empty, label %end, label %more
more:
  %add = add i32 %slot, 1
  %next = and i32 %add, %mask
  %same = icmp eq i32 %key, %x
  br i1 %same, label %end, label %loop
end:
  %at = phi ptr addrspace(1) [ %place, %loop ], [ %place, %more ]
  %found = phi i1 [ false, %loop ], [ true, %more ]
  %beside = getelementptr i8, ptr addrspace(1) %at, i64 4
  %value = load i32, ptr addrspace(1) %beside
  %result = select i1 %found, i32 %value, i32 -1
  ret i32 %result
}

; Different operations of the same kind: the flags that both have. No value on one edge stays none.
; CHECK-LABEL: @flags(
; CHECK: end:
; CHECK-NEXT: %at.left = phi i32 [ %slot, %loop ], [ %next, %more ], [ poison, %last ]
; CHECK-NEXT: [[WIDE:%.*]] = zext i32 %at.left to i64
; CHECK-NEXT: getelementptr i32, ptr addrspace(1) %table, i64 [[WIDE]]
define i32 @flags(WORK_ITEM, ptr addrspace(1) %table) {
entry:
  br label %loop
loop:
  %slot = phi i32 [ %x, %entry ], [ %next, %last ]
  %wide = zext nneg i32 %slot to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %table, i64 %wide
  %key = load i32, ptr addrspace(1) %place
  %empty = icmp eq i32 %key, 0
  br i1 %empty, label %end, label %more
more:
  %next = add i32 %slot, 3
  %also_wide = zext i32 %next to i64
  %other = getelementptr i32, ptr addrspace(1) %table, i64 %also_wide
  %same = icmp eq i32 %key, %x
  br i1 %same, label %end, label %last
last:
  %enough = icmp ugt i32 %key, %x
  br i1 %enough, label %end, label %loop
end:
  %at = phi ptr addrspace(1) [ %place, %loop ], [ %other, %more ], [ poison, %last ]
  %value = load i32, ptr addrspace(1) %at
  ret i32 %value
}

; A phi node of the exit that has the index already is used.
; CHECK-LABEL: @has_index(
; CHECK: end:
; CHECK-NEXT: %slot.left = phi i32 [ %slot, %loop ]
; CHECK-NEXT: sext i32 %slot.left to i64
define i32 @has_index(WORK_ITEM, ptr addrspace(1) %table) {
entry:
  br label %loop
loop:
  %slot = phi i32 [ %x, %entry ], [ %next, %loop ]
  %wide = sext i32 %slot to i64
  %place = getelementptr i32, ptr addrspace(1) %table, i64 %wide
  %next = load i32, ptr addrspace(1) %place
  %empty = icmp eq i32 %next, 0
  br i1 %empty, label %end, label %loop
end:
  %at = phi ptr addrspace(1) [ %place, %loop ]
  %slot.left = phi i32 [ %slot, %loop ]
  %value = load i32, ptr addrspace(1) %at
  %sum = add i32 %value, %slot.left
  ret i32 %sum
}

; What arithmetic makes of a phi node of the header is left with as that phi node.
; CHECK-LABEL: @of_header(
; CHECK: end:
; CHECK-NEXT: %value.left = phi i32 [ %at, %loop ], [ %at, %more ]
; CHECK-NEXT: [[SHIFTED:%.*]] = lshr i32 %value.left, 3
; CHECK-NEXT: [[SLOT:%.*]] = and i32 [[SHIFTED]], %x
; CHECK-NEXT: ret i32 [[SLOT]]
define i32 @of_header(WORK_ITEM, ptr addrspace(1) %table) {
entry:
  br label %loop
loop:
  %at = phi i32 [ %x, %entry ], [ %next, %more ]
  %shifted = lshr i32 %at, 3
  %slot = and i32 %shifted, %x
  %place = getelementptr i32, ptr addrspace(1) %table, i32 %slot
  %key = load i32, ptr addrspace(1) %place
  %empty = icmp eq i32 %key, 0
  br i1 %empty, label %end, label %more
more:
  %next = add i32 %slot, %key
  %same = icmp eq i32 %key, %x
  br i1 %same, label %end, label %loop
end:
  %value = phi i32 [ %slot, %loop ], [ poison, %more ]
  ret i32 %value
}

; That of a phi node that isn't of the header, divisions, which not all lanes may do, and a counter
; that all lanes share stay.
; CHECK-LABEL: @not_of_header(
; CHECK: end:
; CHECK-NEXT: %of_load = phi i32 [ %masked, %loop ]
; CHECK-NEXT: %of_division = phi i32 [ %divided, %loop ]
; CHECK-NEXT: %of_counter = phi i32 [ %scaled, %loop ]
; CHECK-NOT: phi
define i32 @not_of_header(WORK_ITEM, ptr addrspace(1) %table) {
entry:
  br label %loop
loop:
  %at = phi i32 [ %x, %entry ], [ %key, %loop ]
  %count = phi i32 [ 0, %entry ], [ %counted, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %table, i32 %at
  %key = load i32, ptr addrspace(1) %place
  %masked = and i32 %key, 7
  %divided = udiv i32 %at, %z
  %counted = add i32 %count, 1
  %scaled = mul i32 %count, 5
  %empty = icmp eq i32 %key, 0
  br i1 %empty, label %end, label %loop
end:
  %of_load = phi i32 [ %masked, %loop ]
  %of_division = phi i32 [ %divided, %loop ]
  %of_counter = phi i32 [ %scaled, %loop ]
  %sum = add i32 %of_load, %of_division
  %all = add i32 %sum, %of_counter
  ret i32 %all
}

; Nothing moves that isn't narrower, that has two operands from the loop, or of which another exit has
; something else or `undef`, which needn't be the same at each use.
; CHECK-LABEL: @stays(
; CHECK: end:
; CHECK-NEXT: %long = phi ptr addrspace(1) [ %by_long, %loop ], [ %by_long, %more ]
; CHECK-NEXT: %two = phi ptr addrspace(1) [ %by_two, %loop ], [ %by_two, %more ]
; CHECK-NEXT: %mixed = phi ptr addrspace(1) [ %place, %loop ], [ %table, %more ]
; CHECK-NEXT: %any = phi ptr addrspace(1) [ %place, %loop ], [ undef, %more ]
; CHECK-NEXT: %sized = phi ptr addrspace(1) [ %place, %loop ], [ %bytes, %more ]
; CHECK-NOT: phi
define void @stays(WORK_ITEM, ptr addrspace(1) %table, i64 %start) {
entry:
  %first = zext i32 %x to i64
  br label %loop
loop:
  %slot = phi i32 [ %x, %entry ], [ %next, %more ]
  %counter = phi i64 [ %first, %entry ], [ %counted, %more ]
  %wide = sext i32 %slot to i64
  %place = getelementptr i32, ptr addrspace(1) %table, i64 %wide
  %bytes = getelementptr i8, ptr addrspace(1) %table, i64 %wide
  %longer = add i64 %counter, %wide
  %by_long = getelementptr i32, ptr addrspace(1) %table, i64 %longer
  %by_two = getelementptr [4 x i32], ptr addrspace(1) %table, i64 %counter, i64 %wide
  %next = load i32, ptr addrspace(1) %place
  %empty = icmp eq i32 %next, 0
  br i1 %empty, label %end, label %more
more:
  %counted = add i64 %counter, 1
  %enough = icmp ugt i32 %next, %x
  br i1 %enough, label %end, label %loop
end:
  %long = phi ptr addrspace(1) [ %by_long, %loop ], [ %by_long, %more ]
  %two = phi ptr addrspace(1) [ %by_two, %loop ], [ %by_two, %more ]
  %mixed = phi ptr addrspace(1) [ %place, %loop ], [ %table, %more ]
  %any = phi ptr addrspace(1) [ %place, %loop ], [ undef, %more ]
  %sized = phi ptr addrspace(1) [ %place, %loop ], [ %bytes, %more ]
  store ptr addrspace(1) %long, ptr addrspace(1) %table
  store ptr addrspace(1) %two, ptr addrspace(1) %table
  store ptr addrspace(1) %mixed, ptr addrspace(1) %table
  store ptr addrspace(1) %any, ptr addrspace(1) %table
  store ptr addrspace(1) %sized, ptr addrspace(1) %table
  ret void
}

; Nor does it where all lanes leave together.
; CHECK-LABEL: @together(
; CHECK: end:
; CHECK-NEXT: phi ptr addrspace(1) [ %place, %loop ]
define void @together(WORK_ITEM, ptr addrspace(1) %table) {
entry:
  br label %loop
loop:
  %slot = phi i32 [ 0, %entry ], [ %next, %loop ]
  %wide = sext i32 %slot to i64
  %place = getelementptr i32, ptr addrspace(1) %table, i64 %wide
  %next = add i32 %slot, 1
  %enough = icmp eq i32 %next, %enqueued_size_x
  br i1 %enough, label %end, label %loop
end:
  %at = phi ptr addrspace(1) [ %place, %loop ]
  store i32 1, ptr addrspace(1) %at
  ret void
}

; Lanes that leave by themselves know that the counter is below its end: no lane keeps the counter.
; CHECK-LABEL: @search(
; CHECK: loop:
; CHECK: [[ALL:%.*]] = icmp eq i32 %i, %enqueued_size_x
; CHECK: br i1 %in
; CHECK: end:
; CHECK-NEXT: [[R:%.*]] = phi i1 [ [[ALL]], %loop ], [ false, %body ]
; CHECK-NEXT: ret i1 [[R]]
define i1 @search(WORK_ITEM, ptr addrspace(1) %text) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %in = icmp slt i32 %i, %enqueued_size_x
  br i1 %in, label %body, label %end
body:
  %at = add i32 %x, %i
  %wide = sext i32 %at to i64
  %place = getelementptr i8, ptr addrspace(1) %text, i64 %wide
  %letter = load i8, ptr addrspace(1) %place
  %same = icmp eq i8 %letter, 3
  %next = add nuw nsw i32 %i, 1
  br i1 %same, label %loop, label %end
end:
  %i.left = phi i32 [ %i, %loop ], [ %i, %body ]
  %all = icmp eq i32 %i.left, %enqueued_size_x
  ret i1 %all
}

; So does the condition of the exit itself tell, on either side of the comparison; all outcomes may be
; known.
; CHECK-LABEL: @known(
; CHECK: end:
; CHECK-NEXT: phi i1 [ true, %body ], [ false, %loop ]
define i1 @known(WORK_ITEM, ptr addrspace(1) %text) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %out = icmp uge i32 %i, 100
  br i1 %out, label %end, label %body
body:
  %at = add i32 %x, %i
  %wide = sext i32 %at to i64
  %place = getelementptr i8, ptr addrspace(1) %text, i64 %wide
  %letter = load i8, ptr addrspace(1) %place
  %same = icmp eq i8 %letter, 3
  %next = add nuw nsw i32 %i, 1
  br i1 %same, label %loop, label %end
end:
  %i.left = phi i32 [ %i, %body ], [ %i, %loop ]
  %more = icmp ugt i32 100, %i.left
  ret i1 %more
}

; The comparison stays where an exit's outcome isn't known, where exits know different ones, where the
; counter has other uses, or the other value is computed behind the loop.
; CHECK-LABEL: @undecided(
; CHECK: end:
; CHECK-NEXT: phi i32
; CHECK-NEXT: icmp eq i32
define i1 @undecided(WORK_ITEM, ptr addrspace(1) %text) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %in = icmp sle i32 %i, %enqueued_size_x
  br i1 %in, label %body, label %end
body:
  %at = add i32 %x, %i
  %wide = sext i32 %at to i64
  %place = getelementptr i8, ptr addrspace(1) %text, i64 %wide
  %letter = load i8, ptr addrspace(1) %place
  %same = icmp eq i8 %letter, 3
  %next = add nuw nsw i32 %i, 1
  br i1 %same, label %loop, label %end
end:
  %i.left = phi i32 [ %i, %loop ], [ %i, %body ]
  %all = icmp eq i32 %i.left, %enqueued_size_x
  ret i1 %all
}
; CHECK-LABEL: @other_uses(
; CHECK: end:
; CHECK-NEXT: phi i32
; CHECK: icmp eq i32
define i32 @other_uses(WORK_ITEM, ptr addrspace(1) %text) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %in = icmp slt i32 %i, %enqueued_size_x
  br i1 %in, label %body, label %end
body:
  %at = add i32 %x, %i
  %wide = sext i32 %at to i64
  %place = getelementptr i8, ptr addrspace(1) %text, i64 %wide
  %letter = load i8, ptr addrspace(1) %place
  %same = icmp eq i8 %letter, 3
  %next = add nuw nsw i32 %i, 1
  br i1 %same, label %loop, label %end
end:
  %i.left = phi i32 [ %i, %loop ], [ %i, %body ]
  %all = icmp eq i32 %i.left, %enqueued_size_x
  %result = select i1 %all, i32 -1, i32 %i.left
  ret i32 %result
}
; CHECK-LABEL: @later(
; CHECK: end:
; CHECK-NEXT: phi i32
; CHECK: icmp ult i32
define i1 @later(WORK_ITEM, ptr addrspace(1) %text) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %in = icmp ult i32 %i, 100
  br i1 %in, label %body, label %end
body:
  %at = add i32 %x, %i
  %wide = sext i32 %at to i64
  %place = getelementptr i8, ptr addrspace(1) %text, i64 %wide
  %letter = load i8, ptr addrspace(1) %place
  %same = icmp eq i8 %letter, 3
  %next = add nuw nsw i32 %i, 1
  br i1 %same, label %loop, label %end
end:
  %i.left = phi i32 [ %i, %loop ], [ %i, %body ]
  %limit = load i32, ptr addrspace(1) %text
  %all = icmp ult i32 %i.left, %limit
  ret i1 %all
}

; Of a counter that is truncated behind the loop, lanes keep the bits that are used.
; CHECK-LABEL: @bytes(
; CHECK: loop:
; CHECK: [[LAST:%.*]] = trunc i32 %i to i8
; CHECK-NEXT: br i1 %in
; CHECK: body:
; CHECK: [[LEFT:%.*]] = trunc i32 %i to i8
; CHECK-NEXT: br i1 %same
; CHECK: end:
; CHECK-NEXT: %i.out.left = phi i8 [ [[LAST]], %loop ], [ [[LEFT]], %body ], [ 7, %middle ]
; CHECK-NEXT: ret i8 %i.out.left
define i8 @bytes(WORK_ITEM, ptr addrspace(1) %text) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %middle ]
  %in = icmp slt i32 %i, %enqueued_size_x
  br i1 %in, label %body, label %end
body:
  %at = add i32 %x, %i
  %wide = sext i32 %at to i64
  %place = getelementptr i8, ptr addrspace(1) %text, i64 %wide
  %letter = load i8, ptr addrspace(1) %place
  %same = icmp eq i8 %letter, 3
  %next = add nuw nsw i32 %i, 1
  br i1 %same, label %middle, label %end
middle:
  %more = icmp eq i8 %letter, 7
  br i1 %more, label %loop, label %end
end:
  %i.out = phi i32 [ %i, %loop ], [ %i, %body ], [ 7, %middle ]
  %byte = trunc i32 %i.out to i8
  ret i8 %byte
}

; A loop over words keeps as many bits as its words have: here, all.
; CHECK-LABEL: @words(
; CHECK: end:
; CHECK-NEXT: %i.out = phi i32
; CHECK-NEXT: %byte = trunc i32 %i.out to i8
define i8 @words(WORK_ITEM, ptr addrspace(1) %text) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %middle ]
  %in = icmp slt i32 %i, %enqueued_size_x
  br i1 %in, label %body, label %end
body:
  %at = add i32 %x, %i
  %wide = sext i32 %at to i64
  %place = getelementptr i32, ptr addrspace(1) %text, i64 %wide
  %word = load i32, ptr addrspace(1) %place
  %same = icmp eq i32 %word, 3
  %next = add nuw nsw i32 %i, 1
  br i1 %same, label %middle, label %end
middle:
  %more = icmp eq i32 %word, 7
  br i1 %more, label %loop, label %end
end:
  %i.out = phi i32 [ %i, %loop ], [ %i, %body ], [ 7, %middle ]
  %byte = trunc i32 %i.out to i8
  ret i8 %byte
}

; Not if it has other users, if lanes have different values of it, or for a truth value.
; CHECK-LABEL: @whole(
; CHECK: end:
; CHECK-NEXT: %i.out = phi i32
; CHECK-NEXT: %at.out = phi i32
; CHECK-NEXT: %odd = phi i32
define i32 @whole(WORK_ITEM, ptr addrspace(1) %text) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %in = icmp slt i32 %i, %enqueued_size_x
  %at = add i32 %x, %i
  br i1 %in, label %body, label %end
body:
  %wide = sext i32 %at to i64
  %place = getelementptr i8, ptr addrspace(1) %text, i64 %wide
  %letter = load i8, ptr addrspace(1) %place
  %same = icmp eq i8 %letter, 3
  %next = add nuw nsw i32 %i, 1
  br i1 %same, label %loop, label %end
end:
  %i.out = phi i32 [ %i, %loop ], [ %i, %body ]
  %at.out = phi i32 [ %at, %loop ], [ %at, %body ]
  %odd = phi i32 [ %i, %loop ], [ %i, %body ]
  %byte = trunc i32 %i.out to i8
  store i8 %byte, ptr addrspace(1) %text
  %at.byte = trunc i32 %at.out to i8
  store i8 %at.byte, ptr addrspace(1) %text
  %is_odd = trunc i32 %odd to i1
  store i1 %is_odd, ptr addrspace(1) %text
  ret i32 %i.out
}
