; SPDX-License-Identifier: Apache-2.0
; Our passes are LLVM passes: its options for the new pass manager know them.

; RUN: %opt -passes=rvl-switch-to-compares -time-passes -info-output-file=%t %s -o /dev/null
; RUN: FileCheck --check-prefix=TIME %s < %t
; TIME: SwitchToComparesPass

; RUN: %opt -passes=rvl-switch-to-compares -print-after=rvl-switch-to-compares %s -o /dev/null 2>&1 | FileCheck --check-prefix=AFTER %s
; AFTER: IR Dump After SwitchToComparesPass on f
; AFTER-NOT: switch

; RUN: %opt -passes=rvl-switch-to-compares -opt-bisect-limit=0 %s 2>&1 | FileCheck --check-prefix=NONE %s
; NONE: BISECT: NOT running pass (1) rvl-switch-to-compares on f
; NONE: switch i32
; RUN: %opt -passes=rvl-switch-to-compares -opt-bisect-limit=1 %s 2>&1 | FileCheck --check-prefix=ONE %s
; ONE: BISECT: running pass (1) rvl-switch-to-compares on f
; ONE-NOT: switch i32

; The code doesn't work without the passes that lower OpenCL's types: they run anyway.
; RUN: %opt -passes=rvl-flatten-address-spaces -opt-bisect-limit=0 %s 2>&1 | FileCheck --check-prefix=REQUIRED %s
; REQUIRED-NOT: addrspace(1)

; The same options work for passes on machine code.
; RUN: %opt -run-pass=rvl-vtype-policy-merging -opt-bisect-limit=0 %S/rvv/vtype_policy_merging.mir 2>&1 | FileCheck --check-prefix=MACHINE %s
; MACHINE: BISECT: NOT running pass (1) rvl-vtype-policy-merging on function (f)
; MACHINE: VSETVLI {{.*}}$x10, 208
; RUN: %opt -run-pass=rvl-vtype-policy-merging -print-after=rvl-vtype-policy-merging %S/rvv/vtype_policy_merging.mir -o /dev/null 2>&1 | FileCheck --check-prefix=MACHINEAFTER %s
; MACHINEAFTER: IR Dump After rvl-vtype-policy-merging
; RUN: %opt -run-pass=rvl-vtype-policy-merging -time-passes -info-output-file=%t %S/rvv/vtype_policy_merging.mir -o /dev/null
; RUN: FileCheck --check-prefix=MACHINETIME %s < %t
; MACHINETIME: rvl-vtype-policy-merging
define void @f(i32 %x, ptr addrspace(1) %out) {
entry:
  switch i32 %x, label %other [ i32 1, label %one
                                i32 2, label %two ]
one:
  store i32 7, ptr addrspace(1) %out
  br label %done
two:
  store i32 8, ptr addrspace(1) %out
  br label %done
other:
  br label %done
done:
  ret void
}
