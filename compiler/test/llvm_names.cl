// SPDX-License-Identifier: Apache-2.0
// Names of options and passes that are looked up in LLVM have to exist when rivulet-cc starts: all
// that it needs do, and a wrong name of each kind stops it.
// RUN: %cc %s -o /dev/null
// RUN: %cc %s -o /dev/null --expect-llvm option:misched-cluster --expect-llvm pass:codegenprepare
// RUN: not %cc %s -o /dev/null --expect-llvm option:misched-clusters 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not %cc %s -o /dev/null --expect-llvm pass:machine-schedulers 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not %cc %s -o /dev/null --expect-llvm "loop-pass:Loop Strength" 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: not %cc %s -o /dev/null --expect-llvm instruction:ADDIS 2>&1 | FileCheck %s --check-prefix=INSTRUCTION
// RUN: not %cc %s -o /dev/null --expect-llvm prefix:PseudoVMV_V_J 2>&1 | FileCheck %s --check-prefix=PREFIX
// RUN: not %cc %s -o /dev/null --expect-llvm part:_MF3 2>&1 | FileCheck %s --check-prefix=PART
// RUN: not %cc %s -o /dev/null --expect-llvm register:X32 2>&1 | FileCheck %s --check-prefix=REGISTER
// RUN: not %cc --serve --expect-llvm register:X32 2>&1 < /dev/null | FileCheck %s --check-prefix=REGISTER

// OPTION: this build of rivulet-cc expects of LLVM the option 'misched-clusters'
// OPTION-NEXT: rebuild rivulet-cc with the installed LLVM, or install LLVM 22
// PASS: expects of LLVM the pass 'machine-schedulers'
// LOOP: expects of LLVM the loop pass 'Loop Strength'
// INSTRUCTION: expects of LLVM the RISC-V instruction 'ADDIS'
// PREFIX: expects of LLVM a RISC-V instruction whose name begins with 'PseudoVMV_V_J'
// PART: expects of LLVM a RISC-V instruction whose name contains '_MF3'
// REGISTER: expects of LLVM the RISC-V register 'X32'
kernel void f(global int *out) { out[get_global_id(0)] = 1; }
