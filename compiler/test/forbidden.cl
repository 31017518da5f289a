// SPDX-License-Identifier: Apache-2.0
// Code that chapter 6.9 and its like in 3.0 forbid is refused with an error that says what and
// where. Blocks are there in OpenCL C 3.0 (blocks.cl).
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
// RUN: not %cc %s -o %t -DFLEXIBLE 2>&1 | FileCheck --check-prefix=FLEXIBLE %s
// RUN: not %cc %s -o %t -DCOMPLEX 2>&1 | FileCheck --check-prefix=COMPLEX %s
// RUN: not %cc %s -o %t -DLONG_DOUBLE 2>&1 | FileCheck --check-prefix=LONG_DOUBLE %s
// RUN: not %cc %s -o %t -DSAMPLER_VALUE 2>&1 | FileCheck --check-prefix=SAMPLER_VALUE %s
// RUN: not %cc %s -o %t -DSAMPLER_POINTER 2>&1 | FileCheck --check-prefix=SAMPLER_POINTER %s
// RUN: not %cc %s -o %t -DSAMPLER_ARRAY 2>&1 | FileCheck --check-prefix=SAMPLER_ARRAY %s
// RUN: not %cc %s -o %t -DSAMPLER_SPACE 2>&1 | FileCheck --check-prefix=SAMPLER_SPACE %s
// RUN: not %cc %s -o %t -DSAMPLER_VALUE_CHANGED 2>&1 | FileCheck --check-prefix=SAMPLER_VALUE_CHANGED %s
// RUN: not %cc %s -o %t -DIMAGE_POINTER 2>&1 | FileCheck --check-prefix=IMAGE_POINTER %s
// RUN: not %cc %s -o %t -DIMAGE_RESULT 2>&1 | FileCheck --check-prefix=IMAGE_RESULT %s
// RUN: not %cc %s -o %t -DIMAGE_FIELD 2>&1 | FileCheck --check-prefix=IMAGE_FIELD %s
// RUN: not %cc %s -o %t -DIMAGE_ACCESS 2>&1 | FileCheck --check-prefix=IMAGE_ACCESS %s
// RUN: not %cc %s -o %t -DIMAGE_BOTH 2>&1 | FileCheck --check-prefix=IMAGE_BOTH %s
// RUN: not %cc %s -o %t -DEVENT_PROGRAM 2>&1 | FileCheck --check-prefix=EVENT_PROGRAM %s
// RUN: not %cc %s -o %t -DSTRUCT_BOOL 2>&1 | FileCheck --check-prefix=STRUCT_BOOL %s
// RUN: not %cc %s -o %t -DELEMENT 2>&1 | FileCheck --check-prefix=ELEMENT %s
// RUN: not %cc %s -o %t -DMIXED 2>&1 | FileCheck --check-prefix=MIXED %s
// RUN: not %cc %s -o %t -DCAST 2>&1 | FileCheck --check-prefix=CAST %s
// RUN: not %cc %s -o %t -DREINTERPRET 2>&1 | FileCheck --check-prefix=REINTERPRET %s
// RUN: not %cc %s -o %t -DREINTERPRET_OPAQUE 2>&1 | FileCheck --check-prefix=REINTERPRET_OPAQUE %s
// RUN: not %cc %s -o %t -DPRINT_OPAQUE 2>&1 | FileCheck --check-prefix=PRINT_OPAQUE %s
// RUN: not %cc %s -o %t -DRESTRICT 2>&1 | FileCheck --check-prefix=RESTRICT %s
// RUN: not %cc %s -o %t -DLOCAL_INNER 2>&1 | FileCheck --check-prefix=LOCAL_INNER %s
// RUN: not %cc %s -o %t -DWORK_GROUP 2>&1 | FileCheck --check-prefix=WORK_GROUP %s
// RUN: not %cc %s -o %t -DKERNEL_STATIC 2>&1 | FileCheck --check-prefix=KERNEL_STATIC %s

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

// FLEXIBLE: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}structures with flexible arrays are not supported in OpenCL C
#ifdef FLEXIBLE
struct s { int n; int a[]; };
#endif

// COMPLEX: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}complex types are reserved in OpenCL C
#ifdef COMPLEX
kernel void f(global float *b) { _Complex float z; b[0] = 1; }
#endif

// LONG_DOUBLE: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}'long double' is reserved in OpenCL C
#ifdef LONG_DOUBLE
typedef long double wide;
#endif

// SAMPLER_VALUE: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}a sampler in the source is initialized with a constant
#ifdef SAMPLER_VALUE
kernel void f(global int *b) { const sampler_t s = b[0]; b[0] = 1; }
#endif

// SAMPLER_POINTER: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}pointer to type 'sampler_t' is invalid in OpenCL
#ifdef SAMPLER_POINTER
kernel void f(sampler_t *s) {}
#endif

// SAMPLER_ARRAY: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}array of 'sampler_t' type is invalid in OpenCL
#ifdef SAMPLER_ARRAY
kernel void f(void) { sampler_t s[2]; }
#endif

// SAMPLER_SPACE: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}sampler type cannot be used with the __local and __global address space qualifiers
#ifdef SAMPLER_SPACE
kernel void f(void) { local sampler_t s; }
#endif

// SAMPLER_VALUE_CHANGED: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}invalid operands to binary expression
#ifdef SAMPLER_VALUE_CHANGED
kernel void f(sampler_t s) { sampler_t t = s; s = t; }
#endif

// IMAGE_POINTER: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}pointer to type '__read_only image2d_t' is invalid in OpenCL
#ifdef IMAGE_POINTER
kernel void f(read_only image2d_t i) { image2d_t *p = &i; }
#endif

// IMAGE_RESULT: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}declaring function return value of type
#ifdef IMAGE_RESULT
image2d_t g(void);
#endif

// IMAGE_FIELD: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}cannot be used to declare a structure or union field
#ifdef IMAGE_FIELD
struct s { image2d_t i; };
#endif

// IMAGE_ACCESS: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}no matching function for call to 'write_imagef'
#ifdef IMAGE_ACCESS
kernel void f(read_only image2d_t i) { write_imagef(i, (int2)0, (float4)1); }
#endif

// IMAGE_BOTH: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}access qualifier 'read_write' cannot be used
#ifdef IMAGE_BOTH
kernel void f(read_write image2d_t i) {}
#endif

// EVENT_PROGRAM: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}cannot be used to declare a program scope variable
#ifdef EVENT_PROGRAM
event_t e;
#endif

// STRUCT_BOOL: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}cannot be used as the type of a kernel parameter
#ifdef STRUCT_BOOL
struct s { bool b; }; kernel void f(struct s s) {}
#endif

// ELEMENT: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}address of vector element requested
#ifdef ELEMENT
kernel void f(global float *b) { float4 v = 1; float *p = &v.x; b[0] = *p; }
#endif

// MIXED: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}illegal vector component name
#ifdef MIXED
kernel void f(global float *b) { float4 v = 1; b[0] = v.x1.x; }
#endif

// CAST: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}invalid conversion between ext-vector type
#ifdef CAST
kernel void f(global float4 *b, int4 i) { b[0] = (float4)i; }
#endif

// REINTERPRET: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}sizes of {{.*}} must match
#ifdef REINTERPRET
kernel void f(global int *b, short s) { b[0] = as_int(s); }
#endif

// REINTERPRET_OPAQUE: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}only scalars, vectors and pointers
#ifdef REINTERPRET_OPAQUE
kernel void f(global ulong *b, sampler_t s) { b[0] = as_ulong(s); }
#endif

// PRINT_OPAQUE: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}printf has no conversion for values of this type
#ifdef PRINT_OPAQUE
kernel void f(read_only image2d_t i) { printf("%d %p", 1, i); }
#endif

// RESTRICT: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}restrict requires a pointer
#ifdef RESTRICT
kernel void f(int restrict n) {}
#endif

// LOCAL_INNER: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}can only be declared in the outermost scope of a kernel function
#ifdef LOCAL_INNER
kernel void f(int n) { if (n) { local int x; x = 1; } }
#endif

// WORK_GROUP: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}'reqd_work_group_size' attribute must be greater than 0
#ifdef WORK_GROUP
__attribute__((reqd_work_group_size(0, 1, 1))) kernel void f(void) {}
#endif

// KERNEL_STATIC: forbidden.cl:[[#@LINE+2]]:{{[0-9]+}}: {{(fatal )?}}error: {{.*}}kernel functions cannot be declared static
#ifdef KERNEL_STATIC
static kernel void f(void) {}
#endif
