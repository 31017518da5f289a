; SPDX-License-Identifier: Apache-2.0
; RUN: %opt --target=x86_64 -passes=rvl-host-clock %s | FileCheck %s
; The host's processor has one clock only.
; CHECK: call i64 @llvm.readcyclecounter()
; CHECK-NOT: readsteadycounter
; RUN: %opt -passes=rvl-host-clock %s | FileCheck --check-prefix=DEVICE %s
; A device has both.
; DEVICE: call i64 @llvm.readsteadycounter()
; DEVICE-NOT: readcyclecounter
define i64 @f() {
  %time = call i64 @llvm.readsteadycounter()
  ret i64 %time
}
declare i64 @llvm.readsteadycounter()
