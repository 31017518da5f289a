; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-interleave-private-arrays %s | FileCheck --check-prefixes=CHECK,WIDE %s
; RUN: %opt --target=rv32imafdc_zve32f --vlen=128 -passes=rvl-interleave-private-arrays %s | FileCheck --check-prefixes=CHECK,NARROW %s
; Private arrays of which each access is known are marked, with elements of up to 8 bytes.
; Where the vector unit has none of those, elements of 8 bytes would be two vectors.
; CHECK: %array = alloca [16 x i32]{{.*}}!rivulet.interleaved
; WIDE: %wide = alloca [16 x i64]{{.*}}!rivulet.interleaved
; NARROW: %wide = alloca [16 x i64]
; NARROW-NOT: !rivulet.interleaved
; CHECK-LABEL: define void @addresses(
define void @elements(i32 %x, ptr addrspace(1) %out, i32 %k) {
  %array = alloca [16 x i32]
  %wide = alloca [16 x i64]
  %array.to = getelementptr inbounds [16 x i32], ptr %array, i32 0, i32 %k
  store i32 7, ptr %array.to
  %array.first = getelementptr inbounds [16 x i32], ptr %array, i32 0, i32 3
  %array.value = load i32, ptr %array.first
  store i32 %array.value, ptr addrspace(1) %out
  %wide.to = getelementptr inbounds [16 x i64], ptr %wide, i32 0, i32 %k
  store i64 7, ptr %wide.to, align 8
  %wide.first = getelementptr inbounds [16 x i64], ptr %wide, i32 0, i32 3
  %wide.value = load i64, ptr %wide.first, align 8
  store i64 %wide.value, ptr addrspace(1) %out
  ret void
}

; Addresses of several steps become sums of 32-bit indices: of structures, of 64-bit indices, of pointers
; that walk, and of selected ones. Pointers are compared by their indices.
; CHECK: alloca [8 x { i32, float }]{{.*}}!rivulet.interleaved
; CHECK: [[WALK:%.*]] = phi i32 [ 0, %entry ], [ [[NEXT:%.*]], %loop ]
; CHECK: [[STEP:%.*]] = mul nsw i32 %k, 2
; CHECK: [[FIELD:%.*]] = add nsw i32 [[STEP]], 1
; CHECK: [[NEXT]] = add nsw i32 [[WALK]], 2
; CHECK: icmp ne i32
; CHECK-NOT: ptr %array, i64
; CHECK: ret void
define void @addresses(i32 %x, ptr addrspace(1) %out, i32 %k, i1 %c) {
entry:
  %array = alloca [8 x { i32, float }]
  %end = getelementptr inbounds [8 x { i32, float }], ptr %array, i32 0, i32 8
  br label %loop
loop:
  %walk = phi ptr [ %array, %entry ], [ %next, %loop ]
  %wide = sext i32 %k to i64
  %field = getelementptr inbounds [8 x { i32, float }], ptr %array, i64 0, i64 %wide, i32 1
  %which = select i1 %c, ptr %walk, ptr %field
  store i32 1, ptr %which
  %next = getelementptr inbounds { i32, float }, ptr %walk, i32 1
  %more = icmp ne ptr %next, %end
  br i1 %more, label %loop, label %done
done:
  %value = load i32, ptr %array
  store i32 %value, ptr addrspace(1) %out
  ret void
}

; Without inbounds a sum may leave the array in between: no flag says that it doesn't wrap.
; CHECK-LABEL: define void @not_inbounds(
; CHECK: alloca {{.*}}!rivulet.interleaved
; CHECK: mul i32 %k, 4
define void @not_inbounds(i32 %x, ptr addrspace(1) %out, i32 %k) {
  %array = alloca [16 x i32]
  %to = getelementptr [4 x i32], ptr %array, i32 %k
  store i32 7, ptr %to
  ret void
}

; An array is not interleaved if something may observe an address: it is stored, passed to a call,
; converted to a number or compared with another object's.
; CHECK-LABEL: define void @stored(
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret void
define void @stored(i32 %x, ptr addrspace(1) %out, i32 %k) {
  %array = alloca [16 x i32]
  store ptr %array, ptr addrspace(1) %out
  ret void
}
; CHECK-LABEL: define void @called(
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret void
define void @called(i32 %x, ptr addrspace(1) %out, i32 %k) {
  %array = alloca [16 x i32]
  store i32 1, ptr %array
  call void @other(ptr %array)
  ret void
}
; CHECK-LABEL: define void @number(
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret void
define void @number(i32 %x, ptr addrspace(1) %out, i32 %k) {
  %array = alloca [16 x i32]
  store i32 1, ptr %array
  %n = ptrtoint ptr %array to i32
  store i32 %n, ptr addrspace(1) %out
  ret void
}
; CHECK-LABEL: define void @compared(
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret void
define void @compared(i32 %x, ptr addrspace(1) %out, i32 %k, ptr %other) {
  %array = alloca [16 x i32]
  store i32 1, ptr %array
  %c = icmp eq ptr %array, %other
  store i1 %c, ptr addrspace(1) %out
  ret void
}

; A pointer that may lead elsewhere.
; CHECK-LABEL: define void @elsewhere(
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret void
define void @elsewhere(i32 %x, ptr addrspace(1) %out, i1 %c, ptr %other) {
  %array = alloca [16 x i32]
  %p = select i1 %c, ptr %array, ptr %other
  store i32 1, ptr %p
  ret void
}

; Volatile and atomic accesses, elements of two sizes, addresses between elements, alignment below that of
; an element, and vectors.
; CHECK-LABEL: define void @volatile(
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret void
define void @volatile(i32 %x, ptr addrspace(1) %out) {
  %array = alloca [16 x i32]
  store volatile i32 1, ptr %array
  ret void
}
; CHECK-LABEL: define void @volatile_load(
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret void
define void @volatile_load(i32 %x, ptr addrspace(1) %out) {
  %array = alloca [16 x i32]
  %v = load volatile i32, ptr %array
  store i32 %v, ptr addrspace(1) %out
  ret void
}
; CHECK-LABEL: define void @atomic(
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret void
define void @atomic(i32 %x, ptr addrspace(1) %out) {
  %array = alloca [16 x i32]
  %old = atomicrmw add ptr %array, i32 1 monotonic
  ret void
}
; CHECK-LABEL: define void @two_sizes(
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret void
define void @two_sizes(i32 %x, ptr addrspace(1) %out) {
  %array = alloca [16 x i32]
  store i32 1, ptr %array
  %half = load i16, ptr %array
  store i16 %half, ptr addrspace(1) %out
  ret void
}
; CHECK-LABEL: define void @between(
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret void
define void @between(i32 %x, ptr addrspace(1) %out, i32 %k) {
  %array = alloca [16 x i32]
  %to = getelementptr inbounds i16, ptr %array, i32 %k
  store i32 1, ptr %to
  ret void
}
; CHECK-LABEL: define void @misaligned(
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret void
define void @misaligned(i32 %x, ptr addrspace(1) %out, i32 %k) {
  %array = alloca [16 x i32]
  store i32 1, ptr %array, align 2
  ret void
}
; CHECK-LABEL: define void @vectors(
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret void
define void @vectors(i32 %x, ptr addrspace(1) %out, i32 %k) {
  %array = alloca [16 x i32], align 16
  store <4 x i32> zeroinitializer, ptr %array
  ret void
}

; A fill must have been expanded before; lifetimes stay with the variable.
; CHECK-LABEL: define void @filled(
; CHECK-NOT: !rivulet.interleaved
; CHECK: ret void
define void @filled(i32 %x, ptr addrspace(1) %out) {
  %array = alloca [16 x i32]
  call void @llvm.memset.p0.i32(ptr align 4 %array, i8 0, i32 64, i1 false)
  store i32 1, ptr %array
  ret void
}
; CHECK-LABEL: define void @lives(
; CHECK: alloca {{.*}}!rivulet.interleaved
; CHECK: call void @llvm.lifetime.start.p0(ptr %array)
define void @lives(i32 %x, ptr addrspace(1) %out) {
  %array = alloca [16 x i32]
  call void @llvm.lifetime.start.p0(ptr %array)
  store i32 1, ptr %array
  ret void
}

declare void @other(ptr)
