; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-dead-stores %s | FileCheck %s
; CHECK-LABEL: @f(
; CHECK-NOT: store {{.*}}i32 1
define void @f() {
  %v = alloca i32
  store i32 1, ptr %v
  ret void
}

; A function without variables isn't searched.
; CHECK-LABEL: @no_variables(
; CHECK: store i32 1
; CHECK: store i32 2
define void @no_variables(ptr %p) {
  store i32 1, ptr %p
  store i32 2, ptr %p
  ret void
}

; With a variable, stores to other memory are searched, too.
; CHECK-LABEL: @other_memory(
; CHECK-NOT: store {{.*}}i32 %x
; CHECK: store i32 %y, ptr addrspace(1) %p
define void @other_memory(ptr addrspace(1) %p, i32 %x, i32 %y) {
  %v = alloca i32
  call void @takes(ptr %v)
  store i32 %x, ptr addrspace(1) %p
  store i32 %y, ptr addrspace(1) %p
  ret void
}

; Variables are in the first block: that of another block doesn't make the function one to search.
; CHECK-LABEL: @variable_in_other_block(
; CHECK: store i32 1
; CHECK: store i32 2
define void @variable_in_other_block(ptr %p) {
  br label %next
next:
  %v = alloca i32
  call void @takes(ptr %v)
  store i32 1, ptr %p
  store i32 2, ptr %p
  ret void
}

; The variable needn't come first in its block.
; CHECK-LABEL: @variable_behind(
; CHECK-NOT: store {{.*}}i32 %x
; CHECK: store i32 %y
define void @variable_behind(ptr %p, i32 %x, i32 %y) {
  store i32 %x, ptr %p
  store i32 %y, ptr %p
  %v = alloca i32
  call void @takes(ptr %v)
  ret void
}

; A store that is read stays.
; CHECK-LABEL: @is_read(
; CHECK: store i32 1
define i32 @is_read(ptr %q) {
  %v = alloca i32
  store i32 1, ptr %v
  %r = load volatile i32, ptr %v
  ret i32 %r
}

; A volatile store stays, and so does an atomic one.
; CHECK-LABEL: @volatile_or_atomic(
; CHECK: store volatile i32 1
; CHECK: store atomic i32 2
define void @volatile_or_atomic() {
  %v = alloca i32
  %w = alloca i32
  store volatile i32 1, ptr %v
  store atomic i32 2, ptr %w release, align 4
  ret void
}

; A function that got the variable's address may read it.
; CHECK-LABEL: @escapes(
; CHECK: store i32 1
; CHECK: call void @takes(
; CHECK: store i32 2
; CHECK: call void @reads()
; CHECK-NOT: store {{.*}}i32 3
; CHECK: ret void
define void @escapes() {
  %v = alloca i32
  store i32 1, ptr %v
  call void @takes(ptr %v)
  store i32 2, ptr %v
  call void @reads()
  store i32 3, ptr %v
  ret void
}

; A narrower store overwrites only part of a wider one, which the load behind reads.
; CHECK-LABEL: @narrower(
; CHECK: store i32 %x
; CHECK: store i16 %y
define i32 @narrower(i32 %x, i16 %y) {
  %v = alloca i32
  store i32 %x, ptr %v
  store i16 %y, ptr %v
  %r = load i32, ptr %v
  ret i32 %r
}

; A wider store overwrites all of it.
; CHECK-LABEL: @wider(
; CHECK-NOT: store {{.*}}i16
; CHECK: store i32 %x
define i32 @wider(i32 %x, i16 %y) {
  %v = alloca i32
  %high = getelementptr i8, ptr %v, i64 2
  store i16 %y, ptr %high
  store i32 %x, ptr %v
  %r = load i32, ptr %v
  ret i32 %r
}

; A wider one by a byte too far doesn't.
; CHECK-LABEL: @wider_elsewhere(
; CHECK: store i16 %y
; CHECK: store i32 %x
define i64 @wider_elsewhere(i32 %x, i16 %y) {
  %v = alloca i64
  %high = getelementptr i8, ptr %v, i64 3
  store i16 %y, ptr %high
  store i32 %x, ptr %v
  %r = load i64, ptr %v
  ret i64 %r
}

; The load between may read what the first one stores, unless the pointers say it doesn't.
; CHECK-LABEL: @read_between(
; CHECK: store i32 %x, ptr %p
; CHECK: load i32, ptr %q
; CHECK: store i32 %y, ptr %p
define i32 @read_between(ptr %p, ptr %q, i32 %x, i32 %y) {
  %v = alloca i32
  call void @takes(ptr %v)
  store i32 %x, ptr %p
  %r = load i32, ptr %q
  store i32 %y, ptr %p
  ret i32 %r
}
; CHECK-LABEL: @other_read_between(
; CHECK-NOT: store {{.*}}i32 %x
; CHECK: load i32, ptr %q
; CHECK: store i32 %y, ptr %p
define i32 @other_read_between(ptr noalias %p, ptr noalias %q, i32 %x, i32 %y) {
  %v = alloca i32
  call void @takes(ptr %v)
  store i32 %x, ptr %p
  %r = load i32, ptr %q
  store i32 %y, ptr %p
  ret i32 %r
}

; Only one of two paths overwrites the first store. Then both do.
; CHECK-LABEL: @one_path(
; CHECK: store i32 %x
; CHECK: store i32 %y
define void @one_path(ptr %p, i32 %x, i32 %y, i1 %c) {
  %v = alloca i32
  call void @takes(ptr %v)
  store i32 %x, ptr %p
  br i1 %c, label %more, label %end
more:
  store i32 %y, ptr %p
  br label %end
end:
  ret void
}
; CHECK-LABEL: @both_paths(
; CHECK-NOT: store {{.*}}i32 %x
; CHECK: store i32 %y
; CHECK: store i32 %z
define void @both_paths(ptr %p, i32 %x, i32 %y, i32 %z, i1 %c) {
  %v = alloca i32
  call void @takes(ptr %v)
  store i32 %x, ptr %p
  br i1 %c, label %first, label %second
first:
  store i32 %y, ptr %p
  ret void
second:
  store i32 %z, ptr %p
  ret void
}

; The next iteration reads what the loop's last one stored.
; CHECK-LABEL: @next_iteration(
; CHECK: loop:
; CHECK: store i32 %i
define i32 @next_iteration(i32 %n) {
  %v = alloca i32
  store i32 0, ptr %v
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %before = load i32, ptr %v
  %next = add i32 %before, 7
  store i32 %i, ptr %v
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %next
}

; Neither of two vp.store is removed, whose lengths may differ.
; CHECK-LABEL: @vp_stores(
; CHECK: call void @llvm.vp.store{{.*}}(<vscale x 2 x i32> %x, ptr %p, {{.*}} i32 %n)
; CHECK: call void @llvm.vp.store{{.*}}(<vscale x 2 x i32> %y, ptr %p, {{.*}} i32 %m)
define void @vp_stores(ptr %p, <vscale x 2 x i32> %x, <vscale x 2 x i32> %y, i32 %n, i32 %m) {
  %v = alloca i32
  call void @takes(ptr %v)
  call void @llvm.vp.store(<vscale x 2 x i32> %x, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %n)
  call void @llvm.vp.store(<vscale x 2 x i32> %y, ptr %p, <vscale x 2 x i1> splat (i1 true), i32 %m)
  ret void
}

; A vp.load reads the variable.
; CHECK-LABEL: @vp_load(
; CHECK: store i32 1, ptr %at
define <vscale x 2 x i32> @vp_load(i32 %n, i64 %i) {
  %v = alloca [16 x i32]
  %at = getelementptr i32, ptr %v, i64 %i
  store i32 1, ptr %at
  %r = call <vscale x 2 x i32> @llvm.vp.load(ptr %v, <vscale x 2 x i1> splat (i1 true), i32 %n)
  ret <vscale x 2 x i32> %r
}
declare void @takes(ptr)
declare void @reads()
