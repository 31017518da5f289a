// SPDX-License-Identifier: Apache-2.0
// C++ for OpenCL: constructors of program-scope variables become one kernel, in the order of the
// program, and their destructors are dropped.
// RUN: %cc %s -o %t -cl-std=CLC++2021
// RUN: %cc --dump %t | FileCheck %s
// CHECK-DAG: kernel __rivulet_initialise
// CHECK-DAG: kernel test
// RUN: %cc %s --emit=llvm -o - -cl-std=CLC++2021 | FileCheck --check-prefix=CODE %s
// CODE-NOT: llvm.global_ctors
// CODE-NOT: __cxa_atexit
// CODE: define {{.*}}@__rivulet_initialise()
// CODE: store i32 {{.*}}@one
// CODE: store i32 {{.*}}@two

// A program without any has no such kernel, nor has an object, which keeps its list for the link.
// RUN: %cc %s -o %t -cl-std=CLC++2021 -DPLAIN
// RUN: %cc --dump %t | FileCheck --implicit-check-not=__rivulet_initialise --check-prefix=PLAIN %s
// PLAIN: kernel test
// RUN: %cc %s -o %t.o --emit=object -cl-std=CLC++2021
// RUN: %cc %t.o -o %t && %cc --dump %t | FileCheck %s

// RUN: not %cc %s -o %t -cl-std=CLC++2021 -DLOCAL 2>&1 | FileCheck --check-prefix=LOCAL %s
// LOCAL: program_constructors.cl:[[# @LINE + 21]]: error: a static variable of a function needs a constructor

// RUN: not %cc %s -o %t -cl-std=CLC++2021 -DTAKEN 2>&1 | FileCheck --check-prefix=TAKEN %s
// TAKEN: error: the name __rivulet_initialise is reserved

struct Value {
    int value;
#ifdef PLAIN
    constexpr Value(int from) : value(from) {}
#else
    Value(const volatile global int &from) : value(from) {}
    ~Value() {}
#endif
};
#ifdef PLAIN
global Value one(1), two(2);
#else
global int three = 3;
global Value one(three), two(three);
#endif
#ifdef LOCAL
int f() { static global Value late(three); return late.value; }
#else
int f() { return 0; }
#endif
#ifdef TAKEN
kernel void __rivulet_initialise() {}
#endif
kernel void test(global int *out) { *out = one.value + two.value + f(); }
