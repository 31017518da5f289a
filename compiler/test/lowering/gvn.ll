; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-gvn %s | FileCheck %s
; CHECK: join:
; CHECK-NEXT: ret i32 %a
define i32 @f(i32 %x, i1 %c) {
entry:
  %a = mul i32 %x, %x
  br i1 %c, label %side, label %join
side:
  br label %join
join:
  %b = mul i32 %x, %x
  ret i32 %b
}

; Loads are numbered in short functions only.
; RUN: %opt -passes=rvl-gvn %s | FileCheck --check-prefixes=SHORT,DEFAULT %s
; RUN: %opt -passes=rvl-gvn -rvl-gvn-loads-max-instructions=6 %s | FileCheck --check-prefix=SHORT %s
; RUN: %opt -passes=rvl-gvn -rvl-gvn-loads-max-instructions=5 %s | FileCheck --check-prefix=LONG %s
; SHORT-LABEL: @loads(
; SHORT: join:
; SHORT-NOT: load
; SHORT: ret i32
; LONG-LABEL: @loads(
; LONG: join:
; LONG: load
define i32 @loads(ptr %p, i1 %c) {
entry:
  %a = load i32, ptr %p
  br i1 %c, label %side, label %join
side:
  br label %join
join:
  %b = load i32, ptr %p
  %s = add i32 %a, %b
  ret i32 %s
}

; Without the option a short function has up to 500 instructions: 7, and 17 times 29.
; RUN: sed '/^  ; FILL/{s/; FILL/~~~~~~~~~~~~~~~~~/;s/~/|||||||||||||||||||||||||||||/g;s/|/call void @llvm.donothing()\n/g}' %s | %opt -passes=rvl-gvn | FileCheck --check-prefix=INSIDE %s
; RUN: sed '/^  ; FILL/{s/; FILL/~~~~~~~~~~~~~~~~~|/;s/~/|||||||||||||||||||||||||||||/g;s/|/call void @llvm.donothing()\n/g}' %s | %opt -passes=rvl-gvn | FileCheck --check-prefix=OUTSIDE %s
; INSIDE-LABEL: @five_hundred(
; INSIDE: join:
; INSIDE-NEXT: add i32 %a, %a
; OUTSIDE-LABEL: @five_hundred(
; OUTSIDE: join:
; OUTSIDE-NEXT: %b = load i32, ptr %p
; OUTSIDE-NEXT: add i32 %a, %b
define i32 @five_hundred(ptr %p, i32 %c) {
entry:
  %a = load i32, ptr %p
  switch i32 %c, label %join [ i32 1, label %side i32 2, label %apart ]
side:
  br label %join
join:
  %b = load i32, ptr %p
  %s = add i32 %a, %b
  ret i32 %s
apart:
  ; FILL
  ret i32 0
}

; A long function's arithmetic is numbered all the same.
; LONG-LABEL: @arithmetic_of_a_long_function(
; LONG: join:
; LONG-NEXT: %b = load i32, ptr %p
; LONG-NEXT: %t = add i32 %a, %b
; LONG-NEXT: %r = mul i32 %s, %t
; LONG-NEXT: ret i32 %r
define i32 @arithmetic_of_a_long_function(ptr %p, i32 %x, i1 %c) {
entry:
  %a = load i32, ptr %p
  %s = mul i32 %x, %x
  br i1 %c, label %side, label %join
side:
  br label %join
join:
  %b = load i32, ptr %p
  %again = mul i32 %x, %x
  %t = add i32 %a, %b
  %r = mul i32 %again, %t
  ret i32 %r
}

; A load that one of two paths has done moves to the other one, in a short function.
; DEFAULT-LABEL: @partly_redundant(
; DEFAULT: second:
; DEFAULT: [[MOVED:%.*]] = load i32, ptr %p
; DEFAULT: join:
; DEFAULT-NEXT: phi i32 [ [[MOVED]], %second ], [ %a, %first ]
; DEFAULT-NEXT: ret i32
; LONG-LABEL: @partly_redundant(
; LONG: join:
; LONG-NEXT: %b = load i32, ptr %p
define i32 @partly_redundant(ptr %p, i1 %c) {
entry:
  br i1 %c, label %first, label %second
first:
  %a = load i32, ptr %p
  call void @use(i32 %a) memory(none)
  br label %join
second:
  br label %join
join:
  %b = load i32, ptr %p
  ret i32 %b
}

; A volatile load stays, and so does one behind a store or a call that may write there.
; CHECK-LABEL: @written_between(
; CHECK: join:
; CHECK-NEXT: %b = load volatile i32, ptr %p
; CHECK-NEXT: store i32 %x, ptr %q
; CHECK-NEXT: %d = load i32, ptr %p
; CHECK-NEXT: call void @use(i32 %d)
; CHECK-NEXT: %e = load i32, ptr %p
; CHECK-NEXT: %s = add i32 %a, %b
; CHECK-NEXT: %r = add i32 %s, %e
define i32 @written_between(ptr %p, ptr %q, i32 %x, i1 %c) {
entry:
  %a = load i32, ptr %p
  br i1 %c, label %side, label %join
side:
  br label %join
join:
  %b = load volatile i32, ptr %p
  store i32 %x, ptr %q
  %d = load i32, ptr %p
  call void @use(i32 %d)
  %e = load i32, ptr %p
  %s = add i32 %a, %b
  %r = add i32 %s, %e
  ret i32 %r
}

; Memory that the store can't reach isn't loaded again.
; CHECK-LABEL: @not_written_between(
; CHECK: join:
; CHECK-NEXT: store i32 %x, ptr %q
; CHECK-NEXT: %s = add i32 %a, %a
define i32 @not_written_between(ptr noalias %p, ptr noalias %q, i32 %x, i1 %c) {
entry:
  %a = load i32, ptr %p
  br i1 %c, label %side, label %join
side:
  br label %join
join:
  store i32 %x, ptr %q
  %b = load i32, ptr %p
  %s = add i32 %a, %b
  ret i32 %s
}

; A narrower load behind a store takes part of the stored value. Behind a narrower store the rest of
; the bytes is unknown.
; CHECK-LABEL: @stored(
; CHECK: [[LOW:%.*]] = trunc i32 %x to i16
; CHECK: join:
; CHECK-NEXT: store i16 %y, ptr %p
; CHECK-NEXT: %b = load i32, ptr %p
; CHECK-NEXT: call void @use_short(i16 [[LOW]])
; CHECK-NEXT: ret i32 %b
define i32 @stored(ptr %p, i32 %x, i16 %y, i1 %c) {
entry:
  store i32 %x, ptr %p
  br i1 %c, label %side, label %join
side:
  br label %join
join:
  %a = load i16, ptr %p
  store i16 %y, ptr %p
  %b = load i32, ptr %p
  call void @use_short(i16 %a)
  ret i32 %b
}

; A product that is known on one of two paths is computed on the other one. One of three paths is too
; few: two copies would replace one instruction.
; CHECK-LABEL: @two_paths(
; CHECK: other:
; CHECK: mul i32 %x, %y
; CHECK: join:
; CHECK-NEXT: phi i32
; CHECK-NEXT: ret i32
define i32 @two_paths(i32 %x, i32 %y, i1 %c) {
entry:
  br i1 %c, label %side, label %other
side:
  %a = mul i32 %x, %y
  call void @use(i32 %a)
  br label %join
other:
  call void @use(i32 1)
  br label %join
join:
  %b = mul i32 %x, %y
  ret i32 %b
}
; CHECK-LABEL: @three_paths(
; CHECK: join:
; CHECK-NEXT: %b = mul i32 %x, %y
; CHECK-NEXT: ret i32 %b
define i32 @three_paths(i32 %x, i32 %y, i32 %c) {
entry:
  switch i32 %c, label %side [ i32 1, label %second i32 2, label %third ]
side:
  %a = mul i32 %x, %y
  call void @use(i32 %a)
  br label %join
second:
  call void @use(i32 1)
  br label %join
third:
  call void @use(i32 2)
  br label %join
join:
  %b = mul i32 %x, %y
  ret i32 %b
}

; Flags that only one of two products has are dropped.
; CHECK-LABEL: @flags(
; CHECK: %a = mul i32 %x, %y
; CHECK: %m = fmul nnan float %u, %u
; CHECK: join:
; CHECK-NEXT: call void @use(i32 %a)
; CHECK-NEXT: ret float %m
define float @flags(i32 %x, i32 %y, float %u, i1 %c) {
entry:
  %a = mul nsw i32 %x, %y
  %m = fmul nnan ninf float %u, %u
  br i1 %c, label %side, label %join
side:
  br label %join
join:
  %b = mul i32 %y, %x
  call void @use(i32 %b)
  %n = fmul nnan float %u, %u
  ret float %n
}

; Another operation, another width, another predicate, operands the other way around.
; CHECK-LABEL: @others(
; CHECK: join:
; CHECK-NEXT: sdiv i32 %x, %y
; CHECK-NEXT: udiv i32 %y, %x
; CHECK-NEXT: udiv i64 %v, %w
; CHECK-NEXT: icmp slt i32 %x, %y
define void @others(i32 %x, i32 %y, i64 %v, i64 %w, i1 %c) {
entry:
  %a = udiv i32 %x, %y
  call void @use(i32 %a)
  %less = icmp ult i32 %x, %y
  call void @use_bit(i1 %less)
  br i1 %c, label %side, label %join
side:
  br label %join
join:
  %d = sdiv i32 %x, %y
  %e = udiv i32 %y, %x
  %g = udiv i64 %v, %w
  %signed = icmp slt i32 %x, %y
  call void @use(i32 %d)
  call void @use(i32 %e)
  call void @use_wide(i64 %g)
  call void @use_bit(i1 %signed)
  ret void
}
declare void @use(i32)
declare void @use_short(i16)
declare void @use_wide(i64)
declare void @use_bit(i1)
declare void @llvm.donothing()
