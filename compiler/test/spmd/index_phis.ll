; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-index-phis | FileCheck %s
; A pointer that each lane moves through a buffer from a start of its own is an offset of 32 bits. It may
; leave the loop as a number, because it was accessed before.
; CHECK-LABEL: @length(
; CHECK: entry:
; CHECK: [[CUT:%.*]] = trunc i64 %start to i32
; CHECK-NEXT: [[FIRST:%.*]] = add i32 -2147483648, [[CUT]]
; CHECK: loop:
; CHECK-NEXT: %p.at = phi i32 [ [[FIRST]], %entry ], [ [[NEXT:%.*]], %more ]
; CHECK-NEXT: [[LOW:%.*]] = getelementptr i8, ptr addrspace(1) %text, i64 -2147483648
; CHECK-NEXT: [[WIDE:%.*]] = zext i32 %p.at to i64
; CHECK-NEXT: [[P:%.*]] = getelementptr i8, ptr addrspace(1) [[LOW]], i64 [[WIDE]]
; CHECK-NEXT: load i8, ptr addrspace(1) [[P]]
; CHECK: more:
; CHECK-NEXT: [[NEXT]] = add i32 %p.at, 1
; CHECK-NEXT: br label %loop
; CHECK: end:
; CHECK-NEXT: ptrtoint ptr addrspace(1) [[P]] to i64
define i64 @length(WORK_ITEM, ptr addrspace(1) "rivulet.buffer" %text, ptr addrspace(1) %starts) {
entry:
  %at = getelementptr inbounds i64, ptr addrspace(1) %starts, i32 %x
  %start = load i64, ptr addrspace(1) %at
  %first = getelementptr inbounds i8, ptr addrspace(1) %text, i64 %start
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %first, %entry ], [ %next, %more ]
  %letter = load i8, ptr addrspace(1) %p
  %zero = icmp eq i8 %letter, 0
  br i1 %zero, label %end, label %more
more:
  %next = getelementptr inbounds i8, ptr addrspace(1) %p, i64 1
  br label %loop
end:
  %number = ptrtoint ptr addrspace(1) %p to i64
  ret i64 %number
}

; Elements of more bytes, steps of several parts, a merge in the loop and one behind it.
; CHECK-LABEL: @merged(
; CHECK: entry:
; CHECK: [[BYTES:%.*]] = mul i32 %start, 12
; CHECK-NEXT: add i32 -2147483648, [[BYTES]]
; CHECK-NEXT: add i32 {{.*}}, 4
; CHECK: loop:
; CHECK-NEXT: %p.at = phi i32 [ {{.*}}, %entry ], [ %q.at, %join ]
; CHECK: join:
; CHECK-NEXT: %q.at = phi i32 [ %p.at, %loop ], [ {{.*}}, %more ]
; CHECK: end:
; CHECK-NEXT: %left.at = phi i32 [ %q.at, %join ]
; CHECK: ptrtoint
define i64 @merged(WORK_ITEM, ptr addrspace(1) "rivulet.buffer" %text, ptr addrspace(1) %starts) {
entry:
  %at = getelementptr inbounds i32, ptr addrspace(1) %starts, i32 %x
  %start = load i32, ptr addrspace(1) %at
  %first = getelementptr inbounds { i32, i32, i32 }, ptr addrspace(1) %text, i32 %start, i32 1
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %first, %entry ], [ %q, %join ]
  %letter = load i32, ptr addrspace(1) %p
  %zero = icmp eq i32 %letter, 0
  br i1 %zero, label %join, label %more
more:
  %wide = sext i32 %letter to i64
  %next = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %wide
  br label %join
join:
  %q = phi ptr addrspace(1) [ %p, %loop ], [ %next, %more ]
  %letter2 = load i32, ptr addrspace(1) %q
  %zero2 = icmp eq i32 %letter2, 3
  br i1 %zero2, label %end, label %loop
end:
  %left = phi ptr addrspace(1) [ %q, %join ]
  %number = ptrtoint ptr addrspace(1) %left to i64
  ret i64 %number
}

; Pointers into one buffer are equal if their offsets are. The end is never accessed.
; CHECK-LABEL: @until(
; CHECK: loop:
; CHECK-NEXT: %p.at = phi i32
; CHECK: [[ALL:%.*]] = icmp eq i32 %p.at, {{%.*}}
; CHECK-NEXT: br i1 [[ALL]]
define void @until(WORK_ITEM, ptr addrspace(1) "rivulet.buffer" %text, i32 %start, i32 %length) {
entry:
  %own = mul i32 %x, %x
  %begin = load i32, ptr addrspace(1) %text
  %first = getelementptr inbounds i32, ptr addrspace(1) %text, i32 %own
  %last = getelementptr inbounds i32, ptr addrspace(1) %text, i32 %begin
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %first, %entry ], [ %next, %more ]
  %all = icmp eq ptr addrspace(1) %p, %last
  br i1 %all, label %end, label %more
more:
  store i32 %x, ptr addrspace(1) %p
  %by = load i32, ptr addrspace(1) %p
  %next = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %by
  br label %loop
end:
  ret void
}

; A pointer stays if it may be one past the end where it is compared in order, becomes a number or moves
; backwards; if a step isn't inbounds; if it comes from two buffers, or from what is no buffer; if it is merged
; with null.
; CHECK-LABEL: @stays(
; CHECK-NOT: phi i32
; CHECK: ret
define void @stays(WORK_ITEM, ptr addrspace(1) "rivulet.buffer" %text, ptr addrspace(1) "rivulet.buffer" %other,
                   ptr addrspace(1) %none, ptr addrspace(1) %end) {
entry:
  %at = getelementptr inbounds i32, ptr addrspace(1) %other, i32 %x
  %start = load i32, ptr addrspace(1) %at
  %first = getelementptr inbounds i8, ptr addrspace(1) %text, i32 %start
  %in_other = getelementptr inbounds i8, ptr addrspace(1) %other, i32 %start
  %in_none = getelementptr inbounds i8, ptr addrspace(1) %none, i32 %start
  br label %loop
loop:
  %order = phi ptr addrspace(1) [ %first, %entry ], [ %order.next, %loop ]
  %number = phi ptr addrspace(1) [ %first, %entry ], [ %number.next, %loop ]
  %back = phi ptr addrspace(1) [ %first, %entry ], [ %back.next, %loop ]
  %wild = phi ptr addrspace(1) [ %first, %entry ], [ %wild.next, %loop ]
  %two = phi ptr addrspace(1) [ %first, %entry ], [ %in_other, %loop ]
  %strange = phi ptr addrspace(1) [ %in_none, %entry ], [ %strange.next, %loop ]
  %stored = phi ptr addrspace(1) [ %first, %entry ], [ %stored.next, %loop ]
  %less = icmp ult ptr addrspace(1) %order, %end
  %order.next = getelementptr inbounds i8, ptr addrspace(1) %order, i64 1
  store i8 1, ptr addrspace(1) %order
  %bits = ptrtoint ptr addrspace(1) %number to i64
  store i64 %bits, ptr addrspace(1) %none
  store i8 2, ptr addrspace(1) %number
  %number.next = getelementptr inbounds i8, ptr addrspace(1) %number, i64 1
  %back.next = getelementptr inbounds i8, ptr addrspace(1) %back, i64 -1
  store i8 3, ptr addrspace(1) %back.next
  %wild.next = getelementptr i8, ptr addrspace(1) %wild, i64 1
  store i8 4, ptr addrspace(1) %wild
  store i8 5, ptr addrspace(1) %two
  store i8 6, ptr addrspace(1) %strange
  %strange.next = getelementptr inbounds i8, ptr addrspace(1) %strange, i64 1
  store ptr addrspace(1) %stored, ptr addrspace(1) %none
  %stored.next = getelementptr inbounds i8, ptr addrspace(1) %stored, i64 1
  br i1 %less, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @merged_with_null(
; CHECK-NOT: phi i32
; CHECK: ret
define ptr addrspace(1) @merged_with_null(WORK_ITEM, ptr addrspace(1) "rivulet.buffer" %text, ptr addrspace(1) %starts) {
entry:
  %at = getelementptr inbounds i32, ptr addrspace(1) %starts, i32 %x
  %start = load i32, ptr addrspace(1) %at
  %first = getelementptr inbounds i8, ptr addrspace(1) %text, i32 %start
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %first, %entry ], [ %next, %more ]
  %letter = load i8, ptr addrspace(1) %p
  %found = icmp eq i8 %letter, 3
  br i1 %found, label %end, label %more
more:
  %next = getelementptr inbounds i8, ptr addrspace(1) %p, i64 1
  %zero = icmp eq i8 %letter, 0
  br i1 %zero, label %end, label %loop
end:
  %result = phi ptr addrspace(1) [ %p, %loop ], [ null, %more ]
  ret ptr addrspace(1) %result
}

; So do pointers that are the same for all lanes, or that lanes move together from even distances; and any
; in large buffers.
; CHECK-LABEL: @even(
; CHECK-NOT: phi i32
; CHECK: ret
define void @even(WORK_ITEM, ptr addrspace(1) "rivulet.buffer" %text, i32 %from, ptr addrspace(1) %end) {
entry:
  %place = mul i32 %x, 16
  %first = getelementptr inbounds i8, ptr addrspace(1) %text, i32 %place
  %same = getelementptr inbounds i8, ptr addrspace(1) %text, i32 %from
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %first, %entry ], [ %p.next, %loop ]
  %q = phi ptr addrspace(1) [ %same, %entry ], [ %q.next, %loop ]
  %letter = load i8, ptr addrspace(1) %q
  store i8 %letter, ptr addrspace(1) %p
  %p.next = getelementptr inbounds i8, ptr addrspace(1) %p, i64 1
  %q.next = getelementptr inbounds i8, ptr addrspace(1) %q, i64 1
  %zero = icmp eq i8 %letter, 0
  br i1 %zero, label %done, label %loop
done:
  ret void
}
; CHECK-LABEL: @large(
; CHECK-NOT: phi i32
; CHECK: ret
define void @large(WORK_ITEM, ptr addrspace(1) "rivulet.buffer" %text, ptr addrspace(1) %starts) "rivulet.large-buffers" {
entry:
  %at = getelementptr inbounds i32, ptr addrspace(1) %starts, i32 %x
  %start = load i32, ptr addrspace(1) %at
  %first = getelementptr inbounds i8, ptr addrspace(1) %text, i32 %start
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %first, %entry ], [ %next, %loop ]
  %letter = load i8, ptr addrspace(1) %p
  %next = getelementptr inbounds i8, ptr addrspace(1) %p, i64 1
  %zero = icmp eq i8 %letter, 0
  br i1 %zero, label %done, label %loop
done:
  ret void
}
