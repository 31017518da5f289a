; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt --target=rv32imafc_zve32f --vlen=128 -passes=rvl-type-legalisation | FileCheck %s
; RUN: %heads %s | %opt --target=rv64gcv_zvfh_zvfbfmin --vlen=128 -passes=rvl-type-legalisation | FileCheck --check-prefix=LEGAL %s
; All types have elements on the second machine: nothing changes.
; LEGAL-NOT: i32 %{{[0-9]}}
; LEGAL-NOT: bitcast
; 64 bits are two words where the vector unit has no elements of 64 bits.
; CHECK-LABEL: @f(
; CHECK: [[LOW:%.*]] = add i32
; CHECK: icmp ult i32 [[LOW]]
; CHECK: store i32 [[LOW]], ptr addrspace(1) %q
; CHECK-NOT: add i64
define void @f(WORK_ITEM, ptr addrspace(1) %p, i64 %n) {
  %q = getelementptr i64, ptr addrspace(1) %p, i32 %x
  %v = load i64, ptr addrspace(1) %q
  %s = add nuw nsw i64 %v, %n
  store i64 %s, ptr addrspace(1) %q
  ret void
}

; Scalar registers hold all types: what is the same for all lanes stays.
; CHECK-LABEL: @uniform(
; CHECK: load i64
; CHECK: add i64
; CHECK: store i64
define void @uniform(WORK_ITEM, ptr addrspace(1) %p, i64 %n) {
  %v = load i64, ptr addrspace(1) %p
  %s = add i64 %v, %n
  store i64 %s, ptr addrspace(1) %p
  ret void
}

; A uniform value that is stored at an address of each lane's own is two words, too.
; CHECK-LABEL: @splat(
; CHECK: trunc i64 %n to i32
; CHECK-COUNT-2: store i32
; CHECK-NOT: store i64
; CHECK: ret void
define void @splat(WORK_ITEM, ptr addrspace(1) %p, i64 %n) {
  %q = getelementptr i64, ptr addrspace(1) %p, i32 %x
  store i64 %n, ptr addrspace(1) %q
  ret void
}

; Both words are as volatile as the whole, and the second one is aligned to 4 bytes only.
; CHECK-LABEL: @volatile(
; CHECK: load volatile i32, ptr addrspace(1) %q, align 8
; CHECK: load volatile i32, {{.*}}, align 4
; CHECK: store volatile i32 {{.*}}, align 2
; CHECK: store volatile i32 {{.*}}, align 2
define void @volatile(WORK_ITEM, ptr addrspace(1) %p) {
  %q = getelementptr i64, ptr addrspace(1) %p, i32 %x
  %v = load volatile i64, ptr addrspace(1) %q, align 8
  store volatile i64 %v, ptr addrspace(1) %q, align 2
  ret void
}

; Comparisons: the upper words with the sign, the lower ones without.
; CHECK-LABEL: @compared(
; CHECK: icmp eq i32
; CHECK: icmp ult i32
; CHECK: icmp slt i32
; CHECK: icmp eq i32
; CHECK: icmp ugt i32
; CHECK: icmp ugt i32
; CHECK: xor i32
; CHECK: icmp ne i32 {{.*}}, 0
; CHECK-NOT: i64
; CHECK: ret void
define void @compared(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %to) {
  %q = getelementptr [2 x i64], ptr addrspace(1) %p, i32 %x
  %r = getelementptr i8, ptr addrspace(1) %q, i32 8
  %t = getelementptr i8, ptr addrspace(1) %to, i32 %x
  %v = load i64, ptr addrspace(1) %q
  %w = load i64, ptr addrspace(1) %r
  %a = icmp slt i64 %v, %w
  %b = icmp ugt i64 %v, %w
  %c = icmp ne i64 %v, %w
  store volatile i1 %a, ptr addrspace(1) %t
  store volatile i1 %b, ptr addrspace(1) %t
  store volatile i1 %c, ptr addrspace(1) %t
  ret void
}

; No word is shifted by 32, which would be poison.
; CHECK-LABEL: @shifted(
; CHECK: and i32 {{.*}}, 31
; CHECK: xor i32 {{.*}}, 31
; CHECK: and i32 {{.*}}, 32
; CHECK: lshr i32 {{.*}}, 1
; CHECK: select i1
; CHECK: select i1
; CHECK-NOT: shl i64
; CHECK: ret void
define void @shifted(WORK_ITEM, ptr addrspace(1) %p) {
  %q = getelementptr i64, ptr addrspace(1) %p, i32 %x
  %v = load i64, ptr addrspace(1) %q
  %by = zext i32 %y to i64
  %s = shl i64 %v, %by
  store i64 %s, ptr addrspace(1) %q
  ret void
}

; A quotient has no short form: lanes call a function with both words of each operand.
; CHECK-LABEL: @divided(
; CHECK: call { i32, i32 } @{{.*}}(i32 {{.*}}, i32 {{.*}}, i32 {{.*}}, i32 {{.*}})
; CHECK: extractvalue {{.*}}, 0
; CHECK: extractvalue {{.*}}, 1
; CHECK-NOT: udiv i64
; CHECK: ret void
define void @divided(WORK_ITEM, ptr addrspace(1) %p) {
  %q = getelementptr [2 x i64], ptr addrspace(1) %p, i32 %x
  %r = getelementptr i8, ptr addrspace(1) %q, i32 8
  %v = load i64, ptr addrspace(1) %q
  %w = load i64, ptr addrspace(1) %r
  %s = udiv i64 %v, %w
  store i64 %s, ptr addrspace(1) %q
  ret void
}

; Phis of a loop become two, with the words of what comes in.
; CHECK-LABEL: @loop(
; CHECK: phi i32 [ 1, %entry ], [ {{.*}}, %loop ]
; CHECK: phi i32 [ 0, %entry ], [ {{.*}}, %loop ]
; CHECK-NOT: phi i64
; CHECK: ret void
define void @loop(WORK_ITEM, ptr addrspace(1) %p, i1 %c) {
entry:
  %q = getelementptr i64, ptr addrspace(1) %p, i32 %x
  br label %loop
loop:
  %s = phi i64 [ 1, %entry ], [ %t, %loop ]
  %v = load volatile i64, ptr addrspace(1) %q
  %t = add i64 %s, %v
  br i1 %c, label %loop, label %end
end:
  store i64 %t, ptr addrspace(1) %q
  ret void
}

; The sign of a double is the upper word's, that of a half its own.
; CHECK-LABEL: @signs(
; CHECK: xor i32 {{.*}}, -2147483648
; CHECK: and i32 {{.*}}, 2147483647
; CHECK: load i16
; CHECK: xor i16 {{.*}}, -32768
; CHECK: store i16
; CHECK-NOT: half
; CHECK: ret void
define void @signs(WORK_ITEM, ptr addrspace(1) %p, ptr addrspace(1) %h) {
  %q = getelementptr double, ptr addrspace(1) %p, i32 %x
  %v = load double, ptr addrspace(1) %q
  %n = fneg double %v
  store volatile double %n, ptr addrspace(1) %q
  %a = call double @llvm.fabs.f64(double %v)
  store volatile double %a, ptr addrspace(1) %q
  %r = getelementptr half, ptr addrspace(1) %h, i32 %x
  %w = load half, ptr addrspace(1) %r
  %m = fneg half %w
  store half %m, ptr addrspace(1) %r
  ret void
}

; An index of 64 bits is its lower word where pointers have no more.
; CHECK-LABEL: @index(
; CHECK: getelementptr i8, ptr addrspace(1) %p, i32 %{{.*}}
; CHECK-NOT: i64
; CHECK: ret void
define void @index(WORK_ITEM, ptr addrspace(1) %p) {
  %q = getelementptr i64, ptr addrspace(1) %p, i32 %x
  %v = load i64, ptr addrspace(1) %q
  %r = getelementptr i8, ptr addrspace(1) %p, i64 %v
  store i8 1, ptr addrspace(1) %r
  ret void
}
