// SPDX-License-Identifier: Apache-2.0
// The form of a kernel image (hal/protocol/kernel_image.h).
// RUN: %cc %s -o %t
// RUN: %readelf -hlrnsW %t | FileCheck %s
// RUN: %objdump -d %t | FileCheck --check-prefix=START %s
// RUN: %cc %s -o %t.host --target=host && %readelf -hlrnW %t.host | FileCheck --check-prefix=HOST %s

// CHECK: Type: DYN
// CHECK: Machine: RISC-V
// CHECK: Entry point address: [[ENTRY:0x[0-9a-f]+]]
// Code and constants from 0, read only; what is relocated is on a page of its own.
// CHECK: LOAD 0x000000 0x0000000000000000 {{.*}} R E 0x1000
// CHECK-NEXT: LOAD 0x{{[0-9a-f]+}} 0x0000000000001{{.*}} RW  0x1000
// CHECK-NOT: LOAD
// CHECK-NOT: INTERP
// CHECK: Relocation section '.rela.dyn'
// CHECK-COUNT-2: R_RISCV_RELATIVE
// CHECK-NOT: R_RISCV_{{[A-Z]}}
// CHECK: FUNC {{.*}} pick{{$}}
// CHECK: Rivulet {{.*}} Unknown note type: (0x524b4900)

// The word before a kernel tells the code at the entry how to call it (compiler/runtime/dispatch.h).
// START: <pick>:
// START: <rivulet.start>:
// START: lbu {{[a-z0-9]+}}, -0x4(a3)
// START: ecall

// HOST: Type: DYN
// HOST: LOAD {{.*}} R E 0x1000
// HOST: Rivulet {{.*}} Unknown note type: (0x524b4900)

constant int first[] = {1, 2, 3}, second[] = {4, 5, 6};
constant int *constant both[] = {first, second};
kernel void pick(global int *a, uint i, uint j) { a[0] = both[i][j]; }
