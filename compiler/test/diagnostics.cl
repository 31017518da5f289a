// SPDX-License-Identifier: Apache-2.0
// Errors and warnings look as clang prints them, with the source line; chapter 6.9 is enforced.
// RUN: not %cc %s -o %t -DSYNTAX 2>&1 | FileCheck --check-prefix=SYNTAX %s
// RUN: not %cc %s -o %t -DRECURSION 2>&1 | FileCheck --check-prefix=RECURSION %s
// RUN: not %cc %s -o %t -DPOINTER 2>&1 | FileCheck --check-prefix=POINTER %s
// RUN: not %cc %s -o %t -DLENGTH 2>&1 | FileCheck --check-prefix=LENGTH %s
// RUN: not %cc %s -o %t -DBITS 2>&1 | FileCheck --check-prefix=BITS %s
// RUN: not %cc %s -o %t -DVARIABLE 2>&1 | FileCheck --check-prefix=VARIABLE %s
// RUN: not %cc %s -o %t -DUNDEFINED 2>&1 | FileCheck --check-prefix=UNDEFINED %s
// RUN: not %cc %s -o %t -DABSENT 2>&1 | FileCheck --check-prefix=ABSENT %s
// RUN: not %cc %s -o %t -DRESULT 2>&1 | FileCheck --check-prefix=RESULT %s
// RUN: %cc %s -o %t -DWARNING 2>&1 | FileCheck --check-prefix=WARNING %s
// RUN: %cc %s -o %t -DWARNING -w 2>&1 | FileCheck --allow-empty --check-prefix=QUIET %s
// RUN: not %cc %s -o %t -DWARNING -Werror 2>&1 | FileCheck --check-prefix=STRICT %s
// RUN: %cc %s -o %t -DPOINTEE 2>&1 | FileCheck --check-prefix=POINTEE %s
// RUN: not %cc %s -o %t -DPOINTEE -Werror 2>&1 | FileCheck --check-prefix=STRICT-POINTEE %s
// RUN: %cc %s -o %t -DIGNORED -Werror 2>&1 | FileCheck --check-prefix=IGNORED %s
// RUN: not %cc %s -o %t -DNESTED 2>&1 | FileCheck --check-prefix=NESTED %s
// RUN: not %cc %s -o %t -DASSEMBLY 2>&1 | FileCheck --check-prefix=ASSEMBLY %s

#ifdef SYNTAX
// SYNTAX: diagnostics.cl:[[#@LINE+4]]:10: error: expected expression
// SYNTAX-NEXT: a[0] = ;
// SYNTAX-NEXT: {{ +}}^
kernel void syntax(global int *a) {
  a[0] = ;
}
// SYNTAX: 1 error generated.
#endif

#ifdef RECURSION
// RECURSION: diagnostics.cl:{{[0-9]+}}:1: error: recursion is not supported in OpenCL C: '{{odd|even}}' calls itself
int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
kernel void recursion(global int *a) { a[0] = even(a[1]); }
#endif

#ifdef POINTER
// POINTER: error: pointers to functions are not allowed
kernel void pointer(global int *a) {
    int (*f)(int) = 0;
    a[0] = f(1);
}
#endif

#ifdef LENGTH
// LENGTH: error: variable length arrays are not supported in OpenCL
kernel void length(global int *a, int n) {
    int values[n];
    a[0] = values[0];
}
#endif

#ifdef BITS
// BITS: error: bit-fields are not supported in OpenCL
struct bits { int low : 3; };
kernel void bits(global struct bits *a) { a[0].low = 1; }
#endif

#ifdef VARIABLE
// VARIABLE: error: program scope variable must reside in constant address space
global int counter = 0;
kernel void variable(global int *a) { a[0] = counter; }
#endif

#ifdef UNDEFINED
// UNDEFINED: diagnostics.cl:[[#@LINE+2]]:{{[0-9]+}}: error: kernel 'undefined': undefined function 'elsewhere'
int elsewhere(int);
kernel void undefined(global int *a) { a[0] = elsewhere(1); }
#endif

#ifdef ABSENT
// ABSENT: diagnostics.cl:[[#@LINE+2]]:{{[0-9]+}}: error: kernel 'caller': undefined function 'other'
kernel void other(global int *a);
kernel void caller(global int *a) { other(a); }
#endif

#ifdef RESULT
// RESULT: error: kernel must have void return type
kernel int result(global int *a) { return a[0]; }
#endif

#ifdef WARNING
// WARNING: diagnostics.cl:[[#@LINE+6]]:{{.*}}: warning: using the result of an assignment as a condition
// WARNING: 1 warning generated.
// QUIET-NOT: warning
// STRICT: error: using the result of an assignment as a condition
kernel void warning(global int *a, int b)
{
    if (b = 3)
        a[0] = b;
}
#endif

#ifdef POINTEE
// POINTEE: warning: incompatible pointer types
// STRICT-POINTEE: error: incompatible pointer types
kernel void pointee(global ulong *a) {
    ulong8 all = 0;
    ulong *one = &all;
    one[1] = 2;
    a[0] = all.s1;
}
#endif

#ifdef IGNORED
// IGNORED: warning: unknown pragma ignored
#pragma OPENCL UNHEARD_OF rtz
// IGNORED: warning: unknown attribute 'endian' ignored
kernel void ignored(global float4 *a __attribute__((endian(host)))) { a[0] = 1; }
#endif

// Parentheses, 4096 in each other: more than the stack of a process holds.
#ifdef NESTED
#define OPEN_8 ((((((((
#define OPEN_64 OPEN_8 OPEN_8 OPEN_8 OPEN_8 OPEN_8 OPEN_8 OPEN_8 OPEN_8
#define OPEN_512 OPEN_64 OPEN_64 OPEN_64 OPEN_64 OPEN_64 OPEN_64 OPEN_64 OPEN_64
#define OPEN_4096 OPEN_512 OPEN_512 OPEN_512 OPEN_512 OPEN_512 OPEN_512 OPEN_512 OPEN_512
// NESTED: error: bracket nesting level exceeded maximum of 256
constant int nested = OPEN_4096 1;
#endif

#ifdef ASSEMBLY
// ASSEMBLY: error: {{.*}}unrecognized instruction mnemonic
kernel void assembly(global int *a) {
    __asm__("no_instruction %0" : "=r"(a[0]));
}
#endif
