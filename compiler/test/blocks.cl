// SPDX-License-Identifier: Apache-2.0
// OpenCL C 3.0 restricts blocks; earlier versions have none. Their calls leave nothing behind, of
// program scope or not.
// RUN: %cc %s -o - --emit=llvm -cl-std=CL3.0 -DFINE | FileCheck --check-prefix=FINE %s
// RUN: not %cc %s -o %t -cl-std=CL1.2 -DFINE 2>&1 | FileCheck --check-prefix=EARLIER %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DSTORAGE 2>&1 | FileCheck --check-prefix=STORAGE %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DARRAY 2>&1 | FileCheck --check-prefix=ARRAY %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DFIELD 2>&1 | FileCheck --check-prefix=FIELD %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DPOINTER 2>&1 | FileCheck --check-prefix=POINTER %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DADDRESS 2>&1 | FileCheck --check-prefix=ADDRESS %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DCONTENT 2>&1 | FileCheck --check-prefix=CONTENT %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DCHOICE 2>&1 | FileCheck --check-prefix=CHOICE %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DPARAMETER 2>&1 | FileCheck --check-prefix=PARAMETER %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DRESULT 2>&1 | FileCheck --check-prefix=RESULT %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DASSIGNED 2>&1 | FileCheck --check-prefix=ASSIGNED %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DUNINITIALISED 2>&1 | FileCheck --check-prefix=UNINITIALISED %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DEXTERN 2>&1 | FileCheck --check-prefix=EXTERN %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DVARIADIC 2>&1 | FileCheck --check-prefix=VARIADIC %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DCAPTURED 2>&1 | FileCheck --check-prefix=CAPTURED %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DCOPY 2>&1 | FileCheck --check-prefix=COPY %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DNOTHING 2>&1 | FileCheck --check-prefix=NOTHING %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DCAST 2>&1 | FileCheck --check-prefix=CAST %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DLOCAL 2>&1 | FileCheck --check-prefix=LOCAL %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DJUMP 2>&1 | FileCheck --check-prefix=JUMP %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DRECURSION 2>&1 | FileCheck --check-prefix=RECURSION %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DENQUEUE 2>&1 | FileCheck --check-prefix=ENQUEUE %s

// EARLIER: error: blocks support disabled
// FINE: define {{.*}}@f(
// FINE-NOT: {{call|define}}
#ifdef FINE
int (^triple)(int) = ^(int x) { return 3 * x; };
kernel void f(global int *b, int n) {
    int (^q)(int) = ^(int x) { return triple(x) ^ n; };
    b[0] = (q)(b[1]);
}
#endif

// STORAGE: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}the __block storage type is not permitted
#ifdef STORAGE
kernel void f(global int *b) { __block int x = 1; int (^q)(void) = ^{ return x; }; b[0] = q(); }
#endif

// ARRAY: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}array of {{.*}} type is invalid
#ifdef ARRAY
kernel void f(global int *b) {
    int (^q[2])(void) = {^{ return 1; }, ^{ return 2; }}; b[0] = q[0](); }
#endif

// FIELD: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}cannot be used to declare a structure or union field
#ifdef FIELD
struct s { int (^q)(void); };
#endif

// POINTER: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}pointer to type {{.*}} is invalid
#ifdef POINTER
kernel void f(global int *b) { int (^q)(void) = ^{ return 1; }; int (^*p)(void); b[0] = q(); }
#endif

// ADDRESS: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}invalid argument type
#ifdef ADDRESS
kernel void f(global int *b) { int (^q)(void) = ^{ return 1; }; b[0] = &q != 0; }
#endif

// CONTENT: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}invalid argument type
#ifdef CONTENT
kernel void f(global int *b) { int (^q)(void) = ^{ return 1; }; b[0] = (*q)(); }
#endif

// CHOICE: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}block type cannot be used as expression in ternary expression
#ifdef CHOICE
kernel void f(global int *b) {
    int (^q)(void) = b[0] ? ^{ return 1; } : ^{ return 2; }; b[0] = q(); }
#endif

// PARAMETER: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}declaring function parameter of type {{.*}} is not allowed
#ifdef PARAMETER
int g(int (^q)(void)) { return q(); }
#endif

// RESULT: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}declaring function return value of type {{.*}} is not allowed
#ifdef RESULT
typedef int (^block)(void); block g(void) { return ^{ return 1; }; }
#endif

// ASSIGNED: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}invalid operands to binary expression
#ifdef ASSIGNED
kernel void f(global int *b) { int (^q)(void) = ^{ return 1; }; q = ^{ return 2; }; b[0] = q(); }
#endif

// UNINITIALISED: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}invalid block variable declaration - must be initialized
#ifdef UNINITIALISED
int (^q)(void);
#endif

// EXTERN: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}invalid block variable declaration - using 'extern' storage class is disallowed
#ifdef EXTERN
extern int (^q)(void);
#endif

// VARIADIC: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}variadic arguments are not allowed
#ifdef VARIADIC
kernel void f(global int *b) { b[0] = ^(int n, ...) { return n; }(1, 2); }
#endif

// CAPTURED: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}cannot refer to a block inside block
#ifdef CAPTURED
kernel void f(global int *b) {
    int (^q)(void) = ^{ return 1; }; int (^r)(void) = ^{ return q(); }; b[0] = r(); }
#endif

// COPY: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}variable is not assignable
#ifdef COPY
kernel void f(global int *b) { int x = 1; void (^q)(void) = ^{ x = 2; }; q(); b[0] = x; }
#endif

// NOTHING: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}a block variable must be initialized with a block literal or a block variable
#ifdef NOTHING
kernel void f(global int *b) { int (^q)(void) = 0; b[0] = q(); }
#endif

// CAST: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}a block that is called must be known when the program is compiled
#ifdef CAST
kernel void f(global int *b) { void *p = ^{ return 1; }; b[0] = ((int (^)(void))p)(); }
#endif

// LOCAL: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}variables in the local address space can only be declared in the outermost scope
#ifdef LOCAL
kernel void f(global int *b) { void (^q)(void) = ^{ local int n; n = 1; b[0] = n; }; q(); }
#endif

// JUMP: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}use of undeclared label
#ifdef JUMP
kernel void f(global int *b) { void (^q)(void) = ^{ goto out; }; q(); out: b[0] = 1; }
#endif

// RECURSION: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}recursion is not supported in OpenCL C: 'q' calls itself
#ifdef RECURSION
int (^q)(int) = ^(int n) {
    if (n) return q(n - 1); return 0; }; kernel void f(global int *b) { b[0] = q(3); }
#endif

// ENQUEUE: blocks.cl:{{[0-9]+:[0-9]+}}: error: {{.*}}use of undeclared identifier 'enqueue_kernel'
#ifdef ENQUEUE
kernel void f(global int *b) { enqueue_kernel(0, 0, 0, ^{ b[0] = 1; }); }
#endif
