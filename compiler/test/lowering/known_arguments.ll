; SPDX-License-Identifier: Apache-2.0
; RUN: %opt -passes=rvl-known-arguments %s | FileCheck %s
; A function that gets an image of a known format is cloned, with the format's fields as constants;
; calls with the same knowledge share the clone.
; CHECK-LABEL: define spir_kernel void @test(
; CHECK: call i32 @[[READ:read.[0-9]+]](ptr addrspace(1) %image, i32 16)
; CHECK: call i32 @[[READ]](ptr addrspace(1) %image, i32 16)
; A constant sampler is known, too.
; CHECK: call i32 @[[LINEAR:read.[0-9]+]](ptr addrspace(1) %image, i32 32)
; Of other images nothing is known.
; CHECK: call i32 @read(ptr addrspace(1) %other, i32 16)
; CHECK: call i32 @[[HELPER:helper.[0-9]+]](ptr addrspace(1) %image, i32 16)
define spir_kernel void @test(ptr addrspace(1) "rivulet.image"="4277,4306,4" %image,
                              i32 "rivulet.sampler"="16" %sampler, ptr addrspace(1) %other,
                              ptr addrspace(1) %out) {
  %variable = alloca ptr addrspace(1)
  store ptr addrspace(1) %image, ptr %variable
  %image.again = load ptr addrspace(1), ptr %variable
  %a = call i32 @read(ptr addrspace(1) %image.again, i32 %sampler)
  %b = call i32 @read(ptr addrspace(1) %image, i32 %sampler)
  %c = call i32 @read(ptr addrspace(1) %image, i32 32)
  %d = call i32 @read(ptr addrspace(1) %other, i32 %sampler)
  %e = call i32 @helper(ptr addrspace(1) %image, i32 %sampler)
  store volatile i32 %a, ptr addrspace(1) %out
  store volatile i32 %b, ptr addrspace(1) %out
  store volatile i32 %c, ptr addrspace(1) %out
  store volatile i32 %d, ptr addrspace(1) %out
  store volatile i32 %e, ptr addrspace(1) %out
  ret void
}

; A kernel of which nothing is known stays as it is.
; CHECK-LABEL: define spir_kernel void @unknown(
; CHECK: call i32 @read(ptr addrspace(1) %image, i32 16)
define spir_kernel void @unknown(ptr addrspace(1) %image, ptr addrspace(1) %out) {
  %a = call i32 @read(ptr addrspace(1) %image, i32 16)
  store i32 %a, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define i32 @read(
; CHECK: br i1
define i32 @read(ptr addrspace(1) %image, i32 %sampler) "rivulet.library" {
  %type.address = getelementptr i8, ptr addrspace(1) %image, i64 44
  %type = load i32, ptr addrspace(1) %type.address
  %is.nearest = icmp eq i32 %sampler, 16
  %is.bytes = icmp eq i32 %type, 4306
  %is.both = and i1 %is.bytes, %is.nearest
  br i1 %is.both, label %bytes, label %others
bytes:
  %width.address = getelementptr i8, ptr addrspace(1) %image, i64 24
  %width = load i32, ptr addrspace(1) %width.address
  %bytes.address = getelementptr i8, ptr addrspace(1) %image, i64 48
  %element = load i32, ptr addrspace(1) %bytes.address
  %product = mul i32 %width, %element
  ret i32 %product
others:
  ret i32 -1
}

; In the program's own functions a constant isn't passed on, a sampler is.
; CHECK-LABEL: define i32 @helper(
; CHECK: call i32 @read(
define i32 @helper(ptr addrspace(1) %image, i32 %sampler) {
  %value = call i32 @read(ptr addrspace(1) %image, i32 %sampler)
  ret i32 %value
}

; The sizes of an image are not known.
; CHECK: define internal i32 @[[READ]](
; CHECK-NOT: br
; CHECK: %width = load i32
; CHECK: mul i32 %width, 4
; CHECK: define internal i32 @[[LINEAR]](
; CHECK-NOT: load
; CHECK: ret i32 -1
; CHECK: define internal i32 @[[HELPER]](
; CHECK: call i32 @[[READ]](ptr addrspace(1) %image, i32 16)
