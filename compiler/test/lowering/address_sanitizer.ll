; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-address-sanitizer %s | FileCheck %s
; The bounds come from the launch record, are compared once for both accesses, and the work-item
; that is out of bounds says so.
; CHECK: @site{{.*}}c"load of 4 bytes\0A\0A0 4 -32\0A0\0Aargument 0 p\0A\00"
; CHECK-DAG: [[RMW:@site[.0-9]*]] = {{.*}}c"atomic access of 4 bytes\0A\0A0 4 -64\0A0\0Aargument 0 p\0A\00"
; CHECK-DAG: [[ATOMIC:@site[.0-9]*]] = {{.*}}c"atomic load of 2 bytes\0A\0A0 2 -64\0A0\0Aargument 0 p\0A\00"
; CHECK-DAG: [[SET:@site[.0-9]*]] = {{.*}}c"store of 100 bytes\0A\0A0 1 -64\0A0\0Aargument 0 p\0A\00"
; CHECK-DAG: [[LOCAL:@site[.0-9]*]] = {{.*}}c"store of 4 bytes\0A\0A0 4 -64\0A256\0Alocal variable 'own'\0A\00"
; CHECK-DAG: [[BARRIER:@site[.0-9]*]] = {{.*}}c"barrier\0A\0A0 1 32\0A0\0Alines\00
; CHECK-DAG: [[RETURN:@site[.0-9]*]] = {{.*}}c"return\0A\0A0 1 32\0A0\0Alines\00
; CHECK-LABEL: @f(
; CHECK: [[LIMIT:%.*]] = call {{.*}}i32 @rivulet.index_limit.i32(i64 0, i64 4, i64 4, i64 2147483648)
; CHECK: icmp uge i32 %i, [[LIMIT]]
; CHECK: call i32 @rivulet.index_least.i32(
; CHECK: call void @rivulet.bad_access.i32(ptr addrspace(2) @site, i32 %i,
; CHECK: load i32, ptr addrspace(1) %at
; CHECK-NOT: icmp
; CHECK: store i32 1, ptr addrspace(1) %at
; CHECK: ret void
define void @f(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p, i32 %i) "rivulet.sanitize-address" {
  %wide = sext i32 %i to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  %value = load i32, ptr addrspace(1) %at
  store i32 1, ptr addrspace(1) %at
  ret void
}
; A function without the attribute is left alone.
; CHECK-LABEL: @g(
; CHECK-NEXT: load
; CHECK-NEXT: ret
define void @g(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p) {
  %value = load i32, ptr addrspace(1) %p
  ret void
}
; A variable's size is known; what is always in bounds isn't checked. Others look up the address.
; CHECK-LABEL: @h(
; CHECK: icmp ugt i64 %i, 4
; CHECK: load i32, ptr %at
; CHECK: call i1 @rivulet.is_allocated(
; CHECK: store i32 %value, ptr addrspace(1) %q
define i32 @h(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p, i64 %i, i64 %j) "rivulet.sanitize-address" {
  %a = alloca [5 x i32]
  %at = getelementptr i32, ptr %a, i64 %i
  %value = load i32, ptr %at
  %q = inttoptr i64 %j to ptr addrspace(1)
  store i32 %value, ptr addrspace(1) %q
  %inside = and i64 %i, 3
  %sure = getelementptr i32, ptr %a, i64 %inside
  %result = load i32, ptr %sure
  ret i32 %result
}

; Accesses of a block that are 4,096 bytes long together are compared as one, and reported singly.
; CHECK-LABEL: @union_inside(
; CHECK: [[LIMIT:%.*]] = call {{.*}}@rivulet.index_limit.i32(i64 0, i64 4096, i64 4, i64 2147483648)
; CHECK-NOT: @rivulet.index_limit
; CHECK: icmp uge i32 %i, [[LIMIT]]
; CHECK: call i32 @rivulet.index_least.i32(i64 0, i64 4, i64 4, i64 0, i64 1)
; CHECK: call i32 @rivulet.index_least.i32(i64 0, i64 4, i64 4, i64 4092, i64 1)
; CHECK: store i32 1
; CHECK-NEXT: store i32 2
define void @union_inside(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p, i32 %i) "rivulet.sanitize-address" {
  %wide = sext i32 %i to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  %far = getelementptr i8, ptr addrspace(1) %at, i64 4092
  store i32 1, ptr addrspace(1) %at
  store i32 2, ptr addrspace(1) %far
  ret void
}
; One more byte is too far.
; CHECK-LABEL: @union_outside(
; CHECK: call {{.*}}@rivulet.index_limit.i32(i64 0, i64 4, i64 4, i64 2147483648)
; CHECK: [[FAR:%.*]] = call {{.*}}@rivulet.index_limit.i32(i64 0, i64 5, i64 4, i64 2147483648)
; CHECK: store i32 1
; CHECK-NEXT: [[INDEX:%.*]] = add i32 %i, 1023
; CHECK-NEXT: icmp uge i32 [[INDEX]], [[FAR]]
; CHECK: store i32 2
define void @union_outside(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p, i32 %i) "rivulet.sanitize-address" {
  %wide = sext i32 %i to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  %far = getelementptr i8, ptr addrspace(1) %at, i64 4093
  store i32 1, ptr addrspace(1) %at
  store i32 2, ptr addrspace(1) %far
  ret void
}

; Checks aren't joined across a call from which the work-item may not return. A check before it
; covers accesses behind it.
; CHECK-LABEL: @call_between(
; CHECK: store i64 1
; CHECK-NEXT: call void @may_not_return()
; CHECK-NEXT: store i32 2
; CHECK-NEXT: [[INDEX:%.*]] = add i32 %i, 2
; CHECK-NEXT: icmp uge i32 [[INDEX]]
; CHECK: store i32 3
define void @call_between(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p, i32 %i) "rivulet.sanitize-address" {
  %wide = sext i32 %i to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  %second = getelementptr i8, ptr addrspace(1) %at, i64 4
  %third = getelementptr i8, ptr addrspace(1) %at, i64 8
  store i64 1, ptr addrspace(1) %at
  call void @may_not_return()
  store i32 2, ptr addrspace(1) %second
  store i32 3, ptr addrspace(1) %third
  ret void
}

; A check on one path covers nothing behind both; the next one does.
; CHECK-LABEL: @paths(
; CHECK: side:
; CHECK-NEXT: icmp uge i32 %i
; CHECK: join:
; CHECK-NEXT: icmp uge i32 %i
; CHECK: end:
; CHECK-NEXT: store i32 3
define void @paths(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p, i32 %i, i1 %c) "rivulet.sanitize-address" {
entry:
  %wide = sext i32 %i to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  br i1 %c, label %side, label %join
side:
  store i32 1, ptr addrspace(1) %at
  br label %join
join:
  store i32 2, ptr addrspace(1) %at
  br label %end
end:
  store i32 3, ptr addrspace(1) %at
  ret void
}

; A constant of at most 24 bits is no part of the index, unless the sum may wrap.
; CHECK-LABEL: @constants(
; CHECK: call i32 @rivulet.index_least.i32(i64 0, i64 1, i64 1, i64 8388607, i64 1)
; CHECK: call void @rivulet.bad_access.i32(ptr addrspace(2) {{@.*}}, i32 %i,
; CHECK: store i8 1
; CHECK: call void @rivulet.bad_access.i32(ptr addrspace(2) {{@.*}}, i32 %large,
; CHECK: store i8 2
; CHECK: call void @rivulet.bad_access.i32(ptr addrspace(2) {{@.*}}, i32 %wraps,
; CHECK: store i8 3
define void @constants(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p, i32 %i) "rivulet.sanitize-address" {
  %small = add nsw i32 %i, 8388607
  %wide0 = sext i32 %small to i64
  %at0 = getelementptr i8, ptr addrspace(1) %p, i64 %wide0
  store i8 1, ptr addrspace(1) %at0
  call void @may_not_return()
  %large = add nsw i32 %i, 8388608
  %wide1 = sext i32 %large to i64
  %at1 = getelementptr i8, ptr addrspace(1) %p, i64 %wide1
  store i8 2, ptr addrspace(1) %at1
  call void @may_not_return()
  %wraps = add i32 %i, 7
  %wide2 = sext i32 %wraps to i64
  %at2 = getelementptr i8, ptr addrspace(1) %p, i64 %wide2
  store i8 3, ptr addrspace(1) %at2
  ret void
}

; An index without a sign goes up to 2^32, and a volatile load is checked, too.
; CHECK-LABEL: @without_sign(
; CHECK: call i32 @rivulet.index_limit.i32(i64 0, i64 4, i64 4, i64 -1)
; CHECK: call i32 @rivulet.index_least.i32(i64 0, i64 4, i64 4, i64 0, i64 0)
; CHECK: load volatile
define void @without_sign(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p, i32 %i) "rivulet.sanitize-address" {
  %wide = zext i32 %i to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  %v = load volatile i32, ptr addrspace(1) %at
  ret void
}

; Without the promise of small buffers indices are compared in 64 bits.
; CHECK-LABEL: @large(
; CHECK: [[LIMIT:%.*]] = call i64 @rivulet.index_limit.i64(i64 0, i64 4, i64 4, i64 -1)
; CHECK: icmp uge i64 %wide, [[LIMIT]]
define void @large(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p, i32 %i) "rivulet.sanitize-address" "rivulet.large-buffers" {
  %wide = sext i32 %i to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %wide
  store i32 1, ptr addrspace(1) %at
  ret void
}

; Other kinds of access.
; CHECK-LABEL: @kinds(
; CHECK: call void @rivulet.bad_access.i64(ptr addrspace(2) [[RMW]], i64 %i,
; CHECK: atomicrmw
; CHECK: call void @rivulet.bad_access.i64(ptr addrspace(2) [[ATOMIC]], i64 %i,
; CHECK: load atomic
; CHECK: call void @rivulet.bad_access.i64(ptr addrspace(2) [[SET]], i64 %i,
; CHECK: call void @llvm.memset
; CHECK-NOT: @rivulet.bad_access
; CHECK: call void @llvm.memset
; CHECK: ret void
define void @kinds(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p, i64 %i) "rivulet.sanitize-address" {
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %a = atomicrmw add ptr addrspace(1) %at, i32 1 monotonic
  %short = getelementptr i16, ptr addrspace(1) %p, i64 %i
  %b = load atomic i16, ptr addrspace(1) %short monotonic, align 2
  %byte = getelementptr i8, ptr addrspace(1) %p, i64 %i
  call void @llvm.memset.p1.i64(ptr addrspace(1) %byte, i8 0, i64 100, i1 false)
  %none = getelementptr i8, ptr addrspace(1) %p, i64 -1
  call void @llvm.memset.p1.i64(ptr addrspace(1) %none, i8 0, i64 0, i1 false)
  ret void
}

; Variables of the program are checked, those of the built-in library aren't.
; CHECK-LABEL: @variables(
; CHECK: icmp ugt i64 %i, 63
; CHECK: call void @rivulet.bad_access.i64(ptr addrspace(2) [[LOCAL]], i64 %i,
; CHECK: store i32 1
; CHECK-NOT: icmp
; CHECK: load i32, ptr addrspace(2)
@own = addrspace(3) global [64 x i32] undef #0
@library = addrspace(2) constant [64 x i32] zeroinitializer
define i32 @variables(i64 %i) "rivulet.sanitize-address" {
  %a = getelementptr i32, ptr addrspace(3) @own, i64 %i
  store i32 1, ptr addrspace(3) %a
  %b = getelementptr i32, ptr addrspace(2) @library, i64 %i
  %v = load i32, ptr addrspace(2) %b
  ret i32 %v
}

; A required size of 65 x 64 work-items: local ids in the second dimension are inside, in the first
; they aren't. Ids have 32 bits at most.
; CHECK-LABEL: @local_ids(
; CHECK: call range(i64 0, 65) i64 @_Z12get_local_idj(i32 0)
; CHECK: call range(i64 0, 64) i64 @_Z12get_local_idj(i32 1)
; CHECK-NOT: icmp
; CHECK: store i32 1
; CHECK: [[ID:%.*]] = trunc i64 %x to i32
; CHECK-NEXT: icmp ugt i32 [[ID]], 63
; CHECK: store i32 2
define void @local_ids() "rivulet.sanitize-address" !reqd_work_group_size !0 {
  %x = call i64 @_Z12get_local_idj(i32 0)
  %y = call i64 @_Z12get_local_idj(i32 1)
  %a = getelementptr i32, ptr addrspace(3) @own, i64 %y
  store i32 1, ptr addrspace(3) %a
  %b = getelementptr i32, ptr addrspace(3) @own, i64 %x
  store i32 2, ptr addrspace(3) %b
  ret void
}
; Without it they may be anything.
; CHECK-LABEL: @any_local_ids(
; CHECK: call i64 @_Z12get_local_idj(i32 1)
; CHECK: icmp ugt
; CHECK: store i32 1
define void @any_local_ids() "rivulet.sanitize-address" {
  %y = call i64 @_Z12get_local_idj(i32 1)
  %a = getelementptr i32, ptr addrspace(3) @own, i64 %y
  store i32 1, ptr addrspace(3) %a
  ret void
}

; A pointer that is one of two arguments is looked up. Where both are of one argument, the distance
; from its beginning is compared.
; CHECK-LABEL: @two_objects(
; CHECK: [[ADDRESS:%.*]] = ptrtoint ptr addrspace(1) %s to i64
; CHECK-NEXT: call i1 @rivulet.is_allocated(i64 [[ADDRESS]], i64 4,
; CHECK: store i32 1
define void @two_objects(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p, ptr addrspace(1) "rivulet.bounds"="1" "rivulet.argument"="1 q" %q, i1 %c) "rivulet.sanitize-address" {
  %s = select i1 %c, ptr addrspace(1) %p, ptr addrspace(1) %q
  store i32 1, ptr addrspace(1) %s
  ret void
}
; CHECK-LABEL: @one_object(
; CHECK-NOT: @rivulet.is_allocated
; CHECK: [[BYTES:%.*]] = mul i64 %i, 4
; CHECK: [[OFFSET:%.*]] = add i64 0, [[BYTES]]
; CHECK: select i1 %c, i64 0, i64 [[OFFSET]]
; CHECK: icmp uge i64
; CHECK: store i32 1
define void @one_object(ptr addrspace(1) "rivulet.bounds"="0" "rivulet.argument"="0 p" %p, i64 %i, i1 %c) "rivulet.sanitize-address" {
  %n = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %s = select i1 %c, ptr addrspace(1) %p, ptr addrspace(1) %n
  store i32 1, ptr addrspace(1) %s
  ret void
}

; The launch record has bounds for the first 128 pointers, for large buffers for the first 64. Those
; behind them look up the address, as does a pointer that was loaded through them.
; CHECK-LABEL: @last_bounds(
; CHECK-NOT: @rivulet.is_allocated
; CHECK: call {{.*}}@rivulet.index_limit.i64(i64 127,
; CHECK-NOT: @rivulet.is_allocated
; CHECK: ret void
define void @last_bounds(ptr addrspace(1) "rivulet.bounds"="127" "rivulet.argument"="200 p" %p, i64 %i) "rivulet.sanitize-address" {
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %at
  ret void
}
; CHECK-LABEL: @behind_bounds(
; CHECK: call i1 @rivulet.is_allocated(
; CHECK: load ptr addrspace(1), ptr addrspace(1) %at
; CHECK: call i1 @rivulet.is_allocated(
; CHECK: store i32 1, ptr addrspace(1) %q
; CHECK-NOT: @rivulet
; CHECK: store i32 1, ptr addrspace(3) %l
define void @behind_bounds(ptr addrspace(1) "rivulet.bounds"="128" "rivulet.argument"="200 p" %p, i64 %i, ptr addrspace(3) "rivulet.bounds"="129" "rivulet.argument"="201 l" %l) "rivulet.sanitize-address" {
  %at = getelementptr ptr addrspace(1), ptr addrspace(1) %p, i64 %i
  %q = load ptr addrspace(1), ptr addrspace(1) %at
  store i32 1, ptr addrspace(1) %q
  store i32 1, ptr addrspace(3) %l
  ret void
}
; CHECK-LABEL: @last_large_bounds(
; CHECK-NOT: @rivulet.is_allocated
; CHECK: call {{.*}}@rivulet.index_limit.i64(i64 63,
; CHECK-NOT: @rivulet.is_allocated
; CHECK: ret void
define void @last_large_bounds(ptr addrspace(1) "rivulet.bounds"="63" "rivulet.argument"="100 p" %p, i64 %i) "rivulet.sanitize-address" "rivulet.large-buffers" {
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %at
  ret void
}
; CHECK-LABEL: @behind_large_bounds(
; CHECK: call i1 @rivulet.is_allocated(
; CHECK: store i32 1, ptr addrspace(1) %at
define void @behind_large_bounds(ptr addrspace(1) "rivulet.bounds"="64" "rivulet.argument"="100 p" %p, i64 %i) "rivulet.sanitize-address" "rivulet.large-buffers" {
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 1, ptr addrspace(1) %at
  ret void
}

; The objects of local pointers from memory are unknown, and a null pointer has no bounds.
; CHECK-LABEL: @not_checked(
; CHECK-NOT: icmp
; CHECK-NOT: @rivulet
; CHECK: ret void
define void @not_checked(i64 %j) "rivulet.sanitize-address" {
  %l = inttoptr i64 %j to ptr addrspace(3)
  store i32 1, ptr addrspace(3) %l
  store i32 1, ptr addrspace(1) null
  ret void
}

; A structure that is passed by value has 8 bytes.
; CHECK-LABEL: @by_value(
; CHECK: icmp ugt i64 %i, 1
; CHECK: %v = load i32, ptr %at
; CHECK-NOT: br
; CHECK: %w = load i32, ptr %second
; CHECK: br i1 true
; CHECK: %x = load i32, ptr %third
define i32 @by_value(ptr byval({ i32, i32 }) %b, i64 %i) "rivulet.sanitize-address" {
  %at = getelementptr i32, ptr %b, i64 %i
  %v = load i32, ptr %at
  %second = getelementptr i32, ptr %b, i64 1
  %w = load i32, ptr %second
  %third = getelementptr i32, ptr %b, i64 2
  %x = load i32, ptr %third
  ret i32 %x
}

; Work-items that wait at another barrier, or return, are reported. Each boundary has its number.
; CHECK-LABEL: @barriers(
; CHECK: [[OTHER:%.*]] = call i32 @rivulet.arrival(i32 0)
; CHECK-DAG: icmp ne i32 [[OTHER]], -1
; CHECK-DAG: icmp ne i32 [[OTHER]], 0
; CHECK: call void @rivulet.bad_access.i32(ptr addrspace(2) [[BARRIER]], i32 [[OTHER]],
; CHECK: call void @_Z7barrierj(i32 1), !rivulet.arrival [[FIRST:![0-9]+]]
; CHECK: call i32 @rivulet.arrival(i32 1)
; CHECK: call void @_Z7barrierj(i32 2), !rivulet.arrival [[SECOND:![0-9]+]]
; CHECK: [[OTHER:%.*]] = call i32 @rivulet.arrival(i32 -2)
; CHECK-DAG: icmp ne i32 [[OTHER]], -1
; CHECK-DAG: icmp ne i32 [[OTHER]], -2
; CHECK: call void @rivulet.bad_access.i32(ptr addrspace(2) [[RETURN]], i32 [[OTHER]],
; CHECK: ret void
define void @barriers() "rivulet.sanitize-address" {
  call void @_Z7barrierj(i32 1)
  call void @_Z7barrierj(i32 2)
  ret void
}
; CHECK-LABEL: @unmarked_barrier(
; CHECK-NEXT: call void @_Z7barrierj(i32 1){{$}}
; CHECK-NEXT: ret void
define void @unmarked_barrier() {
  call void @_Z7barrierj(i32 1)
  ret void
}
; CHECK: [[FIRST]] = !{i32 0}
; CHECK: [[SECOND]] = !{i32 1}
declare void @may_not_return()
declare i64 @_Z12get_local_idj(i32)
declare void @_Z7barrierj(i32) convergent
attributes #0 = { "rivulet.source" }
!0 = !{i32 65, i32 64, i32 1}
