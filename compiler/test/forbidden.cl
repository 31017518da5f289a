// SPDX-License-Identifier: Apache-2.0
// What chapter 6.9 and its like in 3.0 forbid is refused with an error that says what and where.
// Blocks belong to device-side enqueue in OpenCL C 3.0, which isn't there.
// RUN: not %cc %s -o %t -DPOINTER_SPACE 2>&1 | FileCheck --check-prefix=POINTER_SPACE %s
// RUN: not %cc %s -o %t -DPOINTER_POINTER 2>&1 | FileCheck --check-prefix=POINTER_POINTER %s
// RUN: not %cc %s -o %t -DBOOL 2>&1 | FileCheck --check-prefix=BOOL %s
// RUN: not %cc %s -o %t -DSIZE 2>&1 | FileCheck --check-prefix=SIZE %s
// RUN: not %cc %s -o %t -DEVENT 2>&1 | FileCheck --check-prefix=EVENT %s
// RUN: not %cc %s -o %t -DHALF 2>&1 | FileCheck --check-prefix=HALF %s
// RUN: not %cc %s -o %t -DVARIADIC 2>&1 | FileCheck --check-prefix=VARIADIC %s
// RUN: not %cc %s -o %t -DHEADER 2>&1 | FileCheck --check-prefix=HEADER %s
// RUN: not %cc %s -o %t -DSTATIC 2>&1 | FileCheck --check-prefix=STATIC %s
// RUN: not %cc %s -o %t -DAUTO 2>&1 | FileCheck --check-prefix=AUTO %s
// RUN: not %cc %s -o %t -DREGISTER 2>&1 | FileCheck --check-prefix=REGISTER %s
// RUN: not %cc %s -o %t -DEXTERN 2>&1 | FileCheck --check-prefix=EXTERN %s
// RUN: not %cc %s -o %t -DCONSTANT 2>&1 | FileCheck --check-prefix=CONSTANT %s
// RUN: not %cc %s -o %t -DLOCAL_VALUE 2>&1 | FileCheck --check-prefix=LOCAL_VALUE %s
// RUN: not %cc %s -o %t -DLOCAL_PLACE 2>&1 | FileCheck --check-prefix=LOCAL_PLACE %s
// RUN: not %cc %s -o %t -DSPACES 2>&1 | FileCheck --check-prefix=SPACES %s
// RUN: not %cc %s -o %t -DEVENT_FIELD 2>&1 | FileCheck --check-prefix=EVENT_FIELD %s
// RUN: not %cc %s -o %t -DSTRUCT_POINTER 2>&1 | FileCheck --check-prefix=STRUCT_POINTER %s
// RUN: not %cc %s -o %t -DADDRESS 2>&1 | FileCheck --check-prefix=ADDRESS %s
// RUN: not %cc %s -o %t -DMAIN 2>&1 | FileCheck --check-prefix=MAIN %s
// RUN: not %cc %s -o %t -DVECTOR 2>&1 | FileCheck --check-prefix=VECTOR %s
// RUN: not %cc %s -o %t -DSWIZZLE 2>&1 | FileCheck --check-prefix=SWIZZLE %s
// RUN: not %cc %s -o %t -DBLOCK 2>&1 | FileCheck --check-prefix=BLOCK %s
// RUN: not %cc %s -o %t -DIMAGE 2>&1 | FileCheck --check-prefix=IMAGE %s

// POINTER_SPACE: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}pointer arguments to kernel functions must reside in
#ifdef POINTER_SPACE
kernel void f(int *a) { *a = 1; }
#endif

// POINTER_POINTER: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}kernel parameter cannot be declared as a pointer to a pointer
#ifdef POINTER_POINTER
kernel void f(global int *global *a) { **a = 1; }
#endif

// BOOL: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}cannot be used as the type of a kernel parameter
#ifdef BOOL
kernel void f(bool a, global int *b) { b[0] = a; }
#endif

// SIZE: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}cannot be used as the type of a kernel parameter
#ifdef SIZE
kernel void f(size_t a, global int *b) { b[0] = a; }
#endif

// EVENT: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}cannot be used as the type of a kernel parameter
#ifdef EVENT
kernel void f(event_t e, global int *b) { b[0] = 1; }
#endif

// HALF: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}declaring function parameter of type '__private half' is not allowed
#ifdef HALF
kernel void f(half h, global int *b) { b[0] = 1; }
#endif

// VARIADIC: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}variadic arguments are not allowed in OpenCL
#ifdef VARIADIC
int g(int n, ...) { return n; }
#endif

// HEADER: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}'stdio.h' file not found
#ifdef HEADER
#include <stdio.h>
#endif

// STATIC: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}variables in function scope cannot be declared static
#ifdef STATIC
kernel void f(global int *b) { static int n; b[0] = ++n; }
#endif

// AUTO: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}does not support the 'auto' storage class specifier
#ifdef AUTO
kernel void f(global int *b) { auto int x = 1; b[0] = x; }
#endif

// REGISTER: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}does not support the 'register' storage class specifier
#ifdef REGISTER
kernel void f(global int *b) { register int x = 1; b[0] = x; }
#endif

// EXTERN: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}extern variable must reside in constant address space
#ifdef EXTERN
kernel void f(global int *b) { extern int x; b[0] = x; }
#endif

// CONSTANT: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}read-only variable is not assignable
#ifdef CONSTANT
kernel void f(constant int *a) { a[0] = 1; }
#endif

// LOCAL_VALUE: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}'__local' variable cannot have an initializer
#ifdef LOCAL_VALUE
kernel void f(global int *b) { local int n = 3; b[0] = n; }
#endif

// LOCAL_PLACE: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}non-kernel function variable cannot be declared in local address space
#ifdef LOCAL_PLACE
int g(void) { local int n; n = 3; return n; }
#endif

// SPACES: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}changes address space of pointer
#ifdef SPACES
kernel void f(local int *c) { global int *b = (global int *)c; b[0] = 1; }
#endif

// EVENT_FIELD: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}the 'event_t' type cannot be used to declare a structure or union field
#ifdef EVENT_FIELD
struct s { event_t e; };
#endif

// STRUCT_POINTER: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}struct kernel parameters may not contain pointers
#ifdef STRUCT_POINTER
struct s { global int *p; }; kernel void f(struct s s) { s.p[0] = 1; }
#endif

// ADDRESS: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}taking address of function is not allowed
#ifdef ADDRESS
int g(int x) { return x; } kernel void f(global long *b) { b[0] = (long)&g; }
#endif

// MAIN: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}kernel cannot be called 'main'
#ifdef MAIN
kernel void main(global int *b) { b[0] = 1; }
#endif

// VECTOR: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}too few elements in vector initialization
#ifdef VECTOR
kernel void f(global float *b) { float4 v = (float4)(1, 2, 3); b[0] = v.x; }
#endif

// SWIZZLE: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}vector is not assignable
#ifdef SWIZZLE
kernel void f(global int *b) { int4 v = 1; v.xx = (int2)(1, 2); b[0] = v.x; }
#endif

// BLOCK: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}blocks support disabled
#ifdef BLOCK
kernel void f(global int *b) { int (^q)(int) = ^(int x) { return x + 1; }; b[0] = q(3); }
#endif

// IMAGE: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}can only be used as a function parameter in OpenCL
#ifdef IMAGE
kernel void f(global int *b) { image2d_t i; b[0] = 1; }
#endif
