; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-lane-inductions | FileCheck %s
; All lanes count alike, each from its own start: a scalar counts from 0.
; CHECK: phi i32 [ 0, %entry ]
define void @f(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %n) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %start = load i32, ptr addrspace(1) %at
  %end = add nsw i32 %start, 9
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %q
  %w = mul i32 %v, %v
  store i32 %w, ptr addrspace(1) %q
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %end
  br i1 %again, label %loop, label %done
done:
  ret void
}

; The length of an empty range is 0, whichever number is larger.
; CHECK-LABEL: @length(
; CHECK: [[END:%.*]] = call i32 @llvm.umax.i32(i32 %end, i32 %start)
; CHECK: [[LENGTH:%.*]] = sub i32 [[END]], %start
; CHECK: icmp ugt i32 [[LENGTH]], {{%.*}}
define void @length(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %end) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %start = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, %end
  br i1 %more, label %body, label %done
body:
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %q
  %next = add i32 %i, 1
  br label %loop
done:
  ret void
}

; Steps of 2 without flags may pass the end, and the comparison of the next number may see the first
; one again: neither is the count's.
; CHECK-LABEL: @in_twos(
; CHECK: %i = phi i32 [ %start, %entry ]
define void @in_twos(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %end) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %start = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, %end
  br i1 %more, label %body, label %done
body:
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %q
  %next = add i32 %i, 2
  br label %loop
done:
  ret void
}
; CHECK-LABEL: @next_wraps(
; CHECK: %i = phi i32 [ %start, %entry ]
define void @next_wraps(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %end) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %start = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; nsw says nothing of an unsigned comparison, and nothing of counting down.
; CHECK-LABEL: @other_flag(
; CHECK: %i = phi i32 [ %start, %entry ]
define void @other_flag(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %end) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %start = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %q
  %next = add nsw i32 %i, 2
  %more = icmp ult i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}
; CHECK-LABEL: @down(
; CHECK: %i = phi i32 [ %start, %entry ]
define void @down(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %end) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %start = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %q
  %next = add nsw i32 %i, -1
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Modulo 2^32 the index is another number only if the count is.
; CHECK-LABEL: @until(
; CHECK: phi i32 [ 0, %entry ]
; CHECK: icmp ne i32
define void @until(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %end) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %start = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %q
  %next = add i32 %i, -3
  %more = icmp ne i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The index itself is stored, is used behind the loop, or is the same for all lanes; or the limit
; changes in the loop.
; CHECK-LABEL: @stored(
; CHECK: %i = phi i32 [ %start, %entry ]
define void @stored(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %end) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %start = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store i32 %i, ptr addrspace(1) %q
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}
; CHECK-LABEL: @result(
; CHECK: %i = phi i32 [ %start, %entry ]
define void @result(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %end) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %start = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %q
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  %last = phi i32 [ %next, %loop ]
  store i32 %last, ptr addrspace(1) %at
  ret void
}
; CHECK-LABEL: @uniform(
; CHECK: %i = phi i32 [ %start, %entry ]
define void @uniform(WORK_ITEM, ptr addrspace(1) %p, i32 %start, i32 %end) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %q
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}
; CHECK-LABEL: @limit_changes(
; CHECK: %i = phi i32 [ %start, %entry ]
define void @limit_changes(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %start = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ %start, %entry ], [ %next, %loop ]
  %q = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %i
  store i32 1, ptr addrspace(1) %q
  %next = add nsw i32 %i, 1
  %end = load i32, ptr addrspace(1) %at
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; A counter from 0 that is added to what a lane knows before the loop moves the base.
; CHECK-LABEL: @moving_base(
; CHECK: %q = getelementptr i32, ptr addrspace(1) %p, i64 %wide, !rivulet.each
define void @moving_base(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %n) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %row = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = add nsw i32 %row, %k
  %wide = sext i32 %sum to i64
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  store i32 1, ptr addrspace(1) %q
  br label %latch
latch:
  %next = add nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; So it does where loop-invariant code has yet to be moved out of the loop.
; CHECK-LABEL: @product(
; CHECK: %q = getelementptr i32, ptr addrspace(1) %p, i64 %wide, !rivulet.each
define void @product(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %n) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %row = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %own = mul i32 %row, %n
  %sum = add i32 %k, %own
  %wide = sext i32 %sum to i64
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  store i32 1, ptr addrspace(1) %q
  br label %latch
latch:
  %next = add nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The first address is another one than the invariant part, which may be outside of the buffer; the
; invariant part changes; not all iterations access the address; the counter moves too far.
; CHECK-LABEL: @from_one(
; CHECK: %q = getelementptr i32, ptr addrspace(1) %p, i64 %wide{{$}}
define void @from_one(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %n) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %row = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %k = phi i32 [ 1, %entry ], [ %next, %latch ]
  %sum = add nsw i32 %row, %k
  %wide = sext i32 %sum to i64
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  store i32 1, ptr addrspace(1) %q
  br label %latch
latch:
  %next = add nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @changing(
; CHECK: %q = getelementptr i32, ptr addrspace(1) %p, i64 %wide{{$}}
define void @changing(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %n) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %row = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %own = xor i32 %row, %k
  %sum = add i32 %own, %k
  %wide = sext i32 %sum to i64
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  store i32 1, ptr addrspace(1) %q
  br label %latch
latch:
  %next = add nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @sometimes(
; CHECK: %q = getelementptr i32, ptr addrspace(1) %p, i64 %wide{{$}}
define void @sometimes(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %n) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %row = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = add nsw i32 %row, %k
  %wide = sext i32 %sum to i64
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  %some = icmp eq i32 %k, 3
  br i1 %some, label %access, label %latch
access:
  store i32 1, ptr addrspace(1) %q
  br label %latch
latch:
  %next = add nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @far(
; CHECK: %q = getelementptr i32, ptr addrspace(1) %p, i64 %wide{{$}}
define void @far(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %n) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %row = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = add nsw i32 %row, %k
  %wide = sext i32 %sum to i64
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  store i32 1, ptr addrspace(1) %q
  br label %latch
latch:
  %next = add nsw i32 %k, 65536
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Code generation has no gather with a base and offsets for halves.
; CHECK-LABEL: @half(
; CHECK: %q = getelementptr half, ptr addrspace(1) %p, i64 %wide{{$}}
define void @half(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %starts, i32 %n) {
entry:
  %at = getelementptr i32, ptr addrspace(1) %starts, i32 %x
  %row = load i32, ptr addrspace(1) %at
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = add nsw i32 %row, %k
  %wide = sext i32 %sum to i64
  %q = getelementptr half, ptr addrspace(1) %p, i64 %wide
  store half 0.0, ptr addrspace(1) %q
  br label %latch
latch:
  %next = add nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
