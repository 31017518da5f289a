; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt --target=rv32imafc_zve32f --vlen=128 -passes=rvl-type-legalisation | FileCheck %s
; 64 bits are two words where the vector unit has no elements of 64 bits.
; CHECK: [[LOW:%.*]] = add i32
; CHECK: icmp ult i32 [[LOW]]
; CHECK: store i32 [[LOW]], ptr addrspace(1) %q
; CHECK-NOT: add i64
define void @f(WORK_ITEM, ptr addrspace(1) %p, i64 %n) {
  %q = getelementptr i64, ptr addrspace(1) %p, i32 %x
  %v = load i64, ptr addrspace(1) %q
  %s = add i64 %v, %n
  store i64 %s, ptr addrspace(1) %q
  ret void
}
