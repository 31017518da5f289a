// SPDX-License-Identifier: Apache-2.0
// --time-passes and -ftime-report: where compiling takes its time. The table of instructions is the
// same each time. LLVM leaves out the columns of user and system time where all times are 0.
// RUN: %cc %s -o %t --time-passes 2>%t.log
// RUN: FileCheck %s < %t.log
// RUN: %cc %s -o %t -ftime-report 2>&1 | FileCheck %s
// CHECK: Phases of the compiler
// CHECK: Total Execution Time: {{[0-9.]+}} seconds ({{[0-9.]+}} wall clock)
// CHECK: ---Wall Time---{{.*}}--- Name ---
// CHECK-DAG: {{[0-9]%.*}} front end
// CHECK-DAG: {{[0-9]%.*}} work-group pass
// CHECK-DAG: {{[0-9]%.*}} code generation
// CHECK-DAG: {{[0-9]%.*}} linking the image
// CHECK: {{[0-9]%.*}} Total
// CHECK: Pass execution timing report
// CHECK: ---Wall Time---{{.*}}--- Name ---
// CHECK-DAG: InstCombinePass
// CHECK-DAG: RowsPass
// CHECK-DAG: RISC-V DAG->DAG Pattern Instruction Selection
// CHECK-DAG: Greedy Register Allocator
// CHECK: Total
// CHECK: Analysis execution timing report
// CHECK-DAG: DominatorTreeAnalysis
// CHECK: Instructions of LLVM IR that passes ran on
// CHECK: instructions runs pass
// CHECK-DAG: {{^ +[1-9][0-9]* +[1-9][0-9]*  InstCombinePass$}}
// CHECK-DAG: {{^ +[1-9][0-9]* +1  code generator$}}
// CHECK: {{^ +[1-9][0-9]* +[1-9][0-9]*  Total$}}

// RUN: sed -n '/^Instructions/,$p' %t.log > %t.once
// RUN: %cc %s -o %t --time-passes 2>&1 | sed -n '/^Instructions/,$p' > %t.twice
// RUN: cmp %t.once %t.twice

// A report of its own for each step.
// RUN: %cc %s --emit=object -o %t.o -ftime-report 2>&1 | FileCheck %s --check-prefix=OBJECT
// OBJECT: Phases of the compiler
// OBJECT-NOT: code generation
// RUN: %cc %t.o -o %t -ftime-report 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: Phases of the compiler
// LINK-DAG: linking objects
// LINK-DAG: code generation

// RUN: %cc %s -o %t 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
// NONE-NOT: {{.}}
kernel void f(global int *a) { a[get_global_id(0)] /= 3; }
