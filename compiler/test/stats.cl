// SPDX-License-Identifier: Apache-2.0
// --stats: what a kernel's code consists of, and how long each phase took.
// RUN: %cc %s -o %t --stats --target=rv64gc 2>&1 | FileCheck %s
// CHECK: front end: {{[0-9]+}} ms
// CHECK: code generation: {{[0-9]+}} ms
// CHECK: kernel f: {{[1-9][0-9]*}} instructions, {{[0-9]+}} scalar spills, {{[0-9]+}} bytes of stack
// RUN: %cc %s --emit=asm --stats --target=rv64gcv 2>&1 >%t.s | FileCheck %s --check-prefix=ASM
// ASM: kernel f: {{[1-9][0-9]*}} instructions, {{.*}} LMUL up to
kernel void f(global int *a) { a[get_global_id(0)] = 1; }
