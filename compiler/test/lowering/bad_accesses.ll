; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-bad-accesses %s | FileCheck %s
; RUN: %opt --target=rv32imafdc_zve32f --vlen=128 -passes=rvl-bad-accesses %s | FileCheck --check-prefix=RV32 %s
; A report of the address sanitizer is an ecall that ends the launch.
; CHECK-LABEL: @f(
; CHECK: [[SITE:%.*]] = ptrtoint ptr addrspace(1) %site to i64
; CHECK: call void asm sideeffect "ecall", "{x10},{x11},{x12},{x13},{x14},{x17},~{memory}"(i64 %at, i64 [[SITE]], i64 0, i64 0, i64 0, i64 90) [[CONVERGENT:#[0-9]+]]
; CHECK-NEXT: unreachable
; Registers of 32 bits.
; RV32-LABEL: @f(
; RV32: [[AT:%.*]] = trunc i64 %at to i32
; RV32: [[SITE:%.*]] = ptrtoint ptr addrspace(1) %site to i32
; RV32: call void asm sideeffect "ecall", {{.*}}(i32 [[AT]], i32 [[SITE]], i32 0, i32 0, i32 0, i32 90)
define void @f(ptr %record, ptr %words, ptr %frame, ptr addrspace(1) %site, i64 %at) {
  call void @rivulet.bad_access.i64(ptr addrspace(1) %site, i64 %at, i64 0, i64 0, i64 0)
  ret void
}

; An index of 32 bits has no sign in its register. The path behind the report is gone.
; CHECK-LABEL: @narrow(
; CHECK: [[AT:%.*]] = zext i32 %at to i64
; CHECK: [[SITE:%.*]] = ptrtoint ptr addrspace(2) %site to i64
; CHECK: call void asm sideeffect "ecall", {{.*}}(i64 [[AT]], i64 [[SITE]],
; CHECK-NEXT: unreachable
; CHECK: good:
; CHECK-NEXT: ret i32 2
; RV32-LABEL: @narrow(
; RV32: call void asm sideeffect "ecall", {{.*}}(i32 %at, i32 {{%.*}}, i32 %x, i32 %y, i32 %z, i32 90)
define i32 @narrow(ptr %record, ptr %words, ptr %frame, ptr addrspace(2) %site, i32 %at, i32 %x, i32 %y, i32 %z, i1 %c) {
entry:
  br i1 %c, label %bad, label %good
bad:
  call void @rivulet.bad_access.i32(ptr addrspace(2) %site, i32 %at, i32 %x, i32 %y, i32 %z)
  br label %good
good:
  %r = phi i32 [ 1, %bad ], [ 2, %entry ]
  ret i32 %r
}

; An arrival exchanges the numbers; without a place for them, no work-item has arrived before.
; CHECK-LABEL: @arrivals(
; CHECK-NEXT: [[BEFORE:%.*]] = load i32, ptr %place
; CHECK-NEXT: store i32 4, ptr %place
; CHECK-NEXT: %s = add i32 -1, [[BEFORE]]
define i32 @arrivals(ptr %record, ptr %words, ptr %frame, ptr %place) {
  %a = call i32 @rivulet.arrival(i32 3)
  %b = call i32 @rivulet.arrival_at(i32 4, ptr %place)
  %s = add i32 %a, %b
  ret i32 %s
}

; Words of the record are invariant.
; CHECK-LABEL: @words(
; CHECK-NEXT: [[ARENA:%.*]] = getelementptr inbounds i8, ptr %record, i64 2560
; CHECK-NEXT: load i64, ptr [[ARENA]], align 8, !invariant.load
; CHECK-NEXT: [[COUNT:%.*]] = getelementptr inbounds i8, ptr %record, i64 2584
; CHECK-NEXT: load i32, ptr [[COUNT]], align 4, !invariant.load
define i64 @words(ptr %record, ptr %words, ptr %frame) {
  %a = call i64 @rivulet.record.i64(i64 2560)
  %b = call i32 @rivulet.record.i32(i64 2584)
  %w = zext i32 %b to i64
  %s = add i64 %a, %w
  ret i64 %s
}

; How many indices fit: argument 2, accesses of 4 bytes, 12 apart. None if the object is smaller
; than an access, or the argument points behind its beginning.
; CHECK-LABEL: @limit(
; CHECK-NEXT: [[AT:%.*]] = getelementptr inbounds i8, ptr %record, i64 2612
; CHECK-NEXT: [[WORD:%.*]] = load i32, ptr [[AT]], align 4, !invariant.load
; CHECK-NEXT: [[BYTES:%.*]] = zext i32 [[WORD]] to i64
; CHECK-NEXT: [[LEFT:%.*]] = sub i64 [[BYTES]], 4
; CHECK-NEXT: [[LAST:%.*]] = udiv i64 [[LEFT]], 12
; CHECK-NEXT: [[COUNT:%.*]] = add i64 [[LAST]], 1
; CHECK-NEXT: [[CLAMPED:%.*]] = call i64 @llvm.umin.i64(i64 [[COUNT]], i64 2147483648)
; CHECK-NEXT: [[SMALL:%.*]] = icmp slt i64 [[LEFT]], 0
; CHECK-NEXT: [[AT:%.*]] = getelementptr inbounds i8, ptr %record, i64 2608
; CHECK-NEXT: [[WORD:%.*]] = load i32, ptr [[AT]], align 4, !invariant.load
; CHECK-NEXT: [[FRONT:%.*]] = zext i32 [[WORD]] to i64
; CHECK-NEXT: [[MIDDLE:%.*]] = icmp ne i64 [[FRONT]], 0
; CHECK-NEXT: [[NONE:%.*]] = or i1 [[SMALL]], [[MIDDLE]]
; CHECK-NEXT: [[LIMIT:%.*]] = select i1 [[NONE]], i64 0, i64 [[CLAMPED]]
; CHECK-NEXT: trunc i64 [[LIMIT]] to i32
define i32 @limit(ptr %record, ptr %words, ptr %frame) {
  %a = call i32 @rivulet.index_limit.i32(i64 2, i64 4, i64 12, i64 2147483648)
  ret i32 %a
}

; Bounds of large buffers have 64 bits, and other places.
; CHECK-LABEL: @limit_of_large_buffers(
; CHECK-NEXT: [[AT:%.*]] = getelementptr inbounds i8, ptr %record, i64 2632
; CHECK-NEXT: [[BYTES:%.*]] = load i64, ptr [[AT]], align 8, !invariant.load
; CHECK-NEXT: [[LEFT:%.*]] = sub i64 [[BYTES]], 4
; CHECK-NEXT: udiv i64 [[LEFT]], 4
; CHECK: [[AT:%.*]] = getelementptr inbounds i8, ptr %record, i64 2624
; CHECK-NEXT: load i64, ptr [[AT]], align 8, !invariant.load
define i64 @limit_of_large_buffers(ptr %record, ptr %words, ptr %frame) "rivulet.large-buffers" {
  %a = call i64 @rivulet.index_limit.i64(i64 2, i64 4, i64 4, i64 -1)
  ret i64 %a
}

; The least index, of 32 bits with a sign. Rare values are loaded where they are needed: volatile.
; CHECK-LABEL: @least_signed(
; CHECK-NEXT: [[AT:%.*]] = getelementptr inbounds i8, ptr %record, i64 2592
; CHECK-NEXT: [[WORD:%.*]] = load volatile i32, ptr [[AT]], align 4{{$}}
; CHECK-NEXT: [[BEFORE:%.*]] = zext i32 [[WORD]] to i64
; CHECK-NEXT: [[FRONT:%.*]] = add i64 [[BEFORE]], 8
; CHECK-NEXT: [[FLOOR:%.*]] = ashr i64 [[FRONT]], 2
; CHECK-NEXT: [[LEAST:%.*]] = sub i64 0, [[FLOOR]]
; CHECK: [[CLAMPED:%.*]] = call i64 @llvm.smax.i64(i64 [[LEAST]], i64 -2147483648)
; CHECK: [[R:%.*]] = trunc i64 [[CLAMPED]] to i32
; CHECK-NEXT: ret i32 [[R]]
define i32 @least_signed(ptr %record, ptr %words, ptr %frame) {
  %a = call i32 @rivulet.index_least.i32(i64 0, i64 4, i64 4, i64 8, i64 1)
  ret i32 %a
}

; The number of indices, of 32 bits without a sign. 12 is no power of two: quotients are rounded
; down.
; CHECK-LABEL: @count_unsigned(
; CHECK: [[FRONT:%.*]] = add i64 {{%.*}}, 8
; CHECK-NEXT: [[QUOTIENT:%.*]] = sdiv i64 [[FRONT]], 12
; CHECK-NEXT: [[PRODUCT:%.*]] = mul i64 [[QUOTIENT]], 12
; CHECK-NEXT: [[REST:%.*]] = sub i64 [[FRONT]], [[PRODUCT]]
; CHECK-NEXT: [[LESS:%.*]] = ashr i64 [[REST]], 63
; CHECK-NEXT: [[FLOOR:%.*]] = add i64 [[QUOTIENT]], [[LESS]]
; CHECK-NEXT: [[NEGATED:%.*]] = sub i64 0, [[FLOOR]]
; CHECK-NEXT: getelementptr inbounds i8, ptr %record, i64 2596
; CHECK: [[LEAST:%.*]] = call i64 @llvm.smax.i64(i64 [[NEGATED]], i64 0)
; CHECK-NEXT: [[MOST:%.*]] = call i64 @llvm.smin.i64(i64 {{%.*}}, i64 4294967295)
; CHECK-NEXT: [[DISTANCE:%.*]] = sub i64 [[MOST]], [[LEAST]]
; CHECK-NEXT: [[COUNT:%.*]] = add i64 [[DISTANCE]], 1
; CHECK-NEXT: [[CLAMPED:%.*]] = call i64 @llvm.smax.i64(i64 0, i64 [[COUNT]])
; CHECK-NEXT: trunc i64 [[CLAMPED]] to i32
define i32 @count_unsigned(ptr %record, ptr %words, ptr %frame) {
  %a = call i32 @rivulet.index_count.i32(i64 0, i64 4, i64 12, i64 8, i64 0)
  ret i32 %a
}

; 64 bits hold all indices.
; CHECK-LABEL: @least_wide(
; CHECK-NOT: @llvm.smax
; CHECK: ret i64 {{%[0-9]}}
define i64 @least_wide(ptr %record, ptr %words, ptr %frame) {
  %a = call i64 @rivulet.index_least.i64(i64 0, i64 4, i64 4, i64 8, i64 1)
  ret i64 %a
}

; The search among allocations is inlined, for each call.
; CHECK-LABEL: @look_up(
; CHECK-NEXT: [[FIRST:%.*]] = icmp ult i64 %a, 4
; CHECK-NEXT: [[SECOND:%.*]] = icmp ult i64 %b, 8
; CHECK-NEXT: and i1 [[FIRST]], [[SECOND]]
; CHECK-NOT: define {{.*}}@rivulet.is_allocated
define i1 @look_up(ptr %record, ptr %words, ptr %frame, i64 %a, i64 %b) {
  %x = call i1 @rivulet.is_allocated(i64 %a, i64 4)
  %y = call i1 @rivulet.is_allocated(i64 %b, i64 8)
  %r = and i1 %x, %y
  ret i1 %r
}
define internal i1 @rivulet.is_allocated(i64 %a, i64 %bytes) noinline {
  %r = icmp ult i64 %a, %bytes
  ret i1 %r
}

; Other functions of the compiler, and of the program, stay calls.
; CHECK-LABEL: @others(
; CHECK-NEXT: call i64 @rivulet.records(i64 2560)
; CHECK-NEXT: call i64 @rivulet.index_most.i64(
; CHECK-NEXT: call i64 @index_limit.i64(
define i64 @others(ptr %record, ptr %words, ptr %frame) {
  %a = call i64 @rivulet.records(i64 2560)
  %b = call i64 @rivulet.index_most.i64(i64 0, i64 4, i64 4, i64 8, i64 1)
  %d = call i64 @index_limit.i64(i64 2, i64 4, i64 4, i64 -1)
  %s = add i64 %a, %b
  %t = add i64 %s, %d
  ret i64 %t
}
; The declarations of lowered calls are gone.
; CHECK-NOT: declare {{.*}}@rivulet.{{bad_access|arrival|record\.|index_limit|index_least|index_count}}
; CHECK: attributes [[CONVERGENT]] = { convergent }
declare void @rivulet.bad_access.i64(ptr addrspace(1), i64, i64, i64, i64)
declare void @rivulet.bad_access.i32(ptr addrspace(2), i32, i32, i32, i32)
declare i32 @rivulet.arrival(i32)
declare i32 @rivulet.arrival_at(i32, ptr)
declare i64 @rivulet.record.i64(i64)
declare i32 @rivulet.record.i32(i64)
declare i64 @rivulet.records(i64)
declare i32 @rivulet.index_limit.i32(i64, i64, i64, i64)
declare i64 @rivulet.index_limit.i64(i64, i64, i64, i64)
declare i32 @rivulet.index_least.i32(i64, i64, i64, i64, i64)
declare i64 @rivulet.index_least.i64(i64, i64, i64, i64, i64)
declare i32 @rivulet.index_count.i32(i64, i64, i64, i64, i64)
declare i64 @rivulet.index_most.i64(i64, i64, i64, i64, i64)
declare i64 @index_limit.i64(i64, i64, i64, i64)
