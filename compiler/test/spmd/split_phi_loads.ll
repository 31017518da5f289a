; SPDX-License-Identifier: Apache-2.0
; RUN: %heads %s | %opt -passes=rvl-split-phi-loads | FileCheck %s
; A load by a merge of pointers into two buffers becomes a load from each.
; CHECK-LABEL: @list(
; CHECK: [[FIRST:%.*]] = load i32, ptr addrspace(1) %head, align 4
; CHECK-NEXT: br label %loop
; CHECK: loop:
; CHECK-NEXT: %n = phi i32 [ [[FIRST]], %entry ], [ [[OTHER:%.*]], %body ]
; CHECK-NEXT: %more = icmp sge i32 %n, 0
; CHECK: body:
; CHECK: %place = getelementptr
; CHECK-NEXT: store
; CHECK-NEXT: [[OTHER]] = load i32, ptr addrspace(1) %place, align 4
; CHECK-NEXT: br label %loop
define void @list(WORK_ITEM, ptr addrspace(1) %heads, ptr addrspace(1) %next, ptr addrspace(1) %out) {
entry:
  %head = getelementptr i32, ptr addrspace(1) %heads, i32 %x
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %head, %entry ], [ %place, %body ]
  %n = load i32, ptr addrspace(1) %p, align 4
  %more = icmp sge i32 %n, 0
  br i1 %more, label %body, label %end
body:
  %place = getelementptr i32, ptr addrspace(1) %next, i32 %n
  store i32 %n, ptr addrspace(1) %out
  br label %loop
end:
  ret void
}

; It stays if it comes after a write, if the pointer has other uses, if a block also leads elsewhere, if it
; is volatile, of one buffer, or the same for all lanes.
; CHECK-LABEL: @stays(
; CHECK: load i32, ptr addrspace(1) %p
; CHECK: load i32, ptr addrspace(1) %q
; CHECK: load i32, ptr addrspace(1) %r
; CHECK: load volatile i32, ptr addrspace(1) %s
; CHECK: load i32, ptr addrspace(1) %t
; CHECK: load i32, ptr addrspace(1) %u
; CHECK-NOT: load
define void @stays(WORK_ITEM, ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %out) {
entry:
  %a.x = getelementptr i32, ptr addrspace(1) %a, i32 %x
  %b.x = getelementptr i32, ptr addrspace(1) %b, i32 %x
  %some = icmp ugt i32 %x, 3
  br i1 %some, label %one, label %other
one:
  br label %join
other:
  br label %join
join:
  %p = phi ptr addrspace(1) [ %a.x, %one ], [ %b.x, %other ]
  store i32 1, ptr addrspace(1) %out
  %p.n = load i32, ptr addrspace(1) %p
  store i32 %p.n, ptr addrspace(1) %out
  br i1 %some, label %one2, label %other2
one2:
  br label %join2
other2:
  br label %join2
join2:
  %q = phi ptr addrspace(1) [ %a.x, %one2 ], [ %b.x, %other2 ]
  %q.n = load i32, ptr addrspace(1) %q
  store i32 %q.n, ptr addrspace(1) %q
  br i1 %some, label %one3, label %join3
one3:
  br label %join3
join3:
  %r = phi ptr addrspace(1) [ %a.x, %one3 ], [ %b.x, %join2 ]
  %r.n = load i32, ptr addrspace(1) %r
  store i32 %r.n, ptr addrspace(1) %out
  br i1 %some, label %one4, label %other4
one4:
  br label %join4
other4:
  br label %join4
join4:
  %s = phi ptr addrspace(1) [ %a.x, %one4 ], [ %b.x, %other4 ]
  %s.n = load volatile i32, ptr addrspace(1) %s
  br i1 %some, label %one5, label %other5
one5:
  br label %join5
other5:
  br label %join5
join5:
  %t = phi ptr addrspace(1) [ %a.x, %one5 ], [ %a, %other5 ]
  %t.n = load i32, ptr addrspace(1) %t
  store i32 %t.n, ptr addrspace(1) %out
  %all = icmp ugt i32 %enqueued_size_x, 3
  br i1 %all, label %one6, label %other6
one6:
  br label %join6
other6:
  br label %join6
join6:
  %u = phi ptr addrspace(1) [ %a, %one6 ], [ %b, %other6 ]
  %u.n = load i32, ptr addrspace(1) %u
  store i32 %u.n, ptr addrspace(1) %out
  ret void
}
