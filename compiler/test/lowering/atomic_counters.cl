// SPDX-License-Identifier: Apache-2.0
// cl_ext_atomic_counters_32 and _64: arguments, and every misuse that the specification forbids.
// RUN: %cc %s -o %t -DFINE -Werror && %cc --dump %t | FileCheck --check-prefix=FINE %s
// RUN: %cc %s -o %t -DFINE -Werror -cl-std=CL3.0
// RUN: not %cc %s -o %t -DVARIABLE 2>&1 | FileCheck --check-prefix=VARIABLE %s
// RUN: not %cc %s -o %t -DPROGRAM_SCOPE 2>&1 | FileCheck --check-prefix=PROGRAM_SCOPE %s
// RUN: not %cc %s -o %t -DRESULT 2>&1 | FileCheck --check-prefix=RESULT %s
// RUN: not %cc %s -o %t -DASSIGNED 2>&1 | FileCheck --check-prefix=ASSIGNED %s
// RUN: not %cc %s -o %t -DARITHMETIC 2>&1 | FileCheck --check-prefix=ARITHMETIC %s
// RUN: not %cc %s -o %t -DINCREMENT 2>&1 | FileCheck --check-prefix=INCREMENT %s
// RUN: not %cc %s -o %t -DCOMPARED 2>&1 | FileCheck --check-prefix=COMPARED %s
// RUN: not %cc %s -o %t -DCHOSEN 2>&1 | FileCheck --check-prefix=CHOSEN %s
// RUN: not %cc %s -o %t -cl-std=CL3.0 -DCAPTURED 2>&1 | FileCheck --check-prefix=CAPTURED %s
// RUN: not %cc %s -o %t -DCAST 2>&1 | FileCheck --check-prefix=CAST %s
// RUN: not %cc %s -o %t -DCAST_TO 2>&1 | FileCheck --check-prefix=CAST_TO %s
// RUN: not %cc %s -o %t -DADDRESS 2>&1 | FileCheck --check-prefix=ADDRESS %s
// RUN: not %cc %s -o %t -DPOINTER 2>&1 | FileCheck --check-prefix=POINTER %s
// RUN: not %cc %s -o %t -DARRAY 2>&1 | FileCheck --check-prefix=ARRAY %s
// RUN: not %cc %s -o %t -DMEMBER 2>&1 | FileCheck --check-prefix=MEMBER %s
// RUN: not %cc %s -o %t -DOTHER_ATOMIC 2>&1 | FileCheck --check-prefix=OTHER_ATOMIC %s
// RUN: not %cc %s -o %t -DBOTH 2>&1 | FileCheck --check-prefix=BOTH %s
// RUN: not %cc %s -o %t -DBOTH_BY_CALLS 2>&1 | FileCheck --check-prefix=BOTH_BY_CALLS %s
// RUN: not %cc %s -o %t -DTOO_MANY 2>&1 | FileCheck --check-prefix=TOO_MANY %s
// RUN: %cc %s -DFIRST_PART --emit=object -o %t.1 && %cc %s -DSECOND_PART --emit=object -o %t.2
// RUN: not %cc %t.1 %t.2 -o %t 2>&1 | FileCheck --check-prefix=PARTS %s
#pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : enable
#pragma OPENCL EXTENSION cl_ext_atomic_counters_64 : enable

#ifdef FINE
// FINE: kernel fine
// FINE: argument 0 at 0, 8 bytes: counter counter64_t produced
// FINE: argument 1 at 8, 4 bytes: counter counter32_t free
// FINE: argument 2 at 16, 8 bytes: global int* out
// One counter up, another down, and the functions for pointers beside those for counters.
ulong next(counter64_t counter, int odd) { return odd ? atomic_inc(counter) : 0; }
uint last(counter32_t counter) { return atomic_dec(counter); }
kernel void fine(counter64_t produced, counter32_t free, global int *out) {
    out[next(produced, 1)] = last(free);
    atomic_inc(out);
    local uint shared;
    atomic_dec(&shared);
}
kernel void unused(counter64_t counter) {}
kernel void restless(volatile counter64_t counter) { atomic_inc(counter); }
#endif

#ifdef VARIABLE
// VARIABLE: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}can only be used as a function parameter
kernel void test(counter64_t c) { counter64_t copy = c; }
#endif
#ifdef PROGRAM_SCOPE
// PROGRAM_SCOPE-NOT: msaa
// PROGRAM_SCOPE: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: type '__constant counter32_t' can only be used as a function parameter
constant counter32_t c = 0;
#endif
#ifdef RESULT
// RESULT: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: declaring function return value of type 'counter64_t'
counter64_t same(counter64_t c) { return c; }
#endif
#ifdef ASSIGNED
// ASSIGNED: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: invalid operands
kernel void test(counter64_t c, counter64_t d) { c = d; }
#endif
#ifdef ARITHMETIC
// ARITHMETIC: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: invalid operands to binary expression ('__private counter64_t' and 'int')
kernel void test(counter64_t c, global ulong *out) { *out = c + 1; }
#endif
#ifdef INCREMENT
// INCREMENT: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: invalid argument type
kernel void test(counter32_t c) { c++; }
#endif
#ifdef COMPARED
// COMPARED: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: invalid operands
kernel void test(counter64_t c, counter64_t d, global int *out) { *out = c == d; }
#endif
#ifdef CHOSEN
// CHOSEN: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: an atomic counter can only be given to a function as it is
kernel void test(counter64_t c, counter64_t d, int x) { atomic_inc(x ? c : d); }
#endif
#ifdef CAPTURED
// CAPTURED: atomic_counters.cl:[[#@LINE+2]]:{{[0-9]+}}: error: an atomic counter can only be given to a function as it is
kernel void test(counter64_t c, global ulong *out) {
    ulong (^up)(void) = ^{ return atomic_inc(c); };
    *out = up() + atomic_dec(c);
}
#endif
#ifdef CAST
// CAST: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: operand of type 'counter64_t'
kernel void test(counter64_t c, global ulong *out) { *out = (ulong)c; }
#endif
#ifdef CAST_TO
// CAST_TO: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: used type 'counter64_t'
kernel void test(counter32_t c) { atomic_inc((counter64_t)c); }
#endif
#ifdef ADDRESS
// ADDRESS: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: invalid argument type
kernel void test(counter64_t c) { void *address = &c; }
#endif
#ifdef POINTER
// POINTER: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: pointer to type '__global counter64_t'
kernel void test(global counter64_t *c) {}
#endif
#ifdef ARRAY
// ARRAY: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: array of 'counter32_t'
kernel void test(counter32_t c[2]) {}
#endif
#ifdef MEMBER
// MEMBER: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: the 'counter32_t'
struct counters { counter32_t c; };
#endif
#ifdef OTHER_ATOMIC
// OTHER_ATOMIC: atomic_counters.cl:[[#@LINE+1]]:{{[0-9]+}}: error: no matching function for call to 'atomic_add'
kernel void test(counter32_t c) { atomic_add(c, 1); }
#endif

#ifdef BOTH
// BOTH: atomic_counters.cl:[[#@LINE+5]]:9: error: kernel 'both' decrements its atomic counter 'c' that it increments at {{.*}}atomic_counters.cl:[[#@LINE+3]]:9; it may do only one
kernel void both(counter64_t c, int up) {
    if (up)
        atomic_inc(c);
    else
        atomic_dec(c);
}
#endif
#ifdef BOTH_BY_CALLS
// BOTH_BY_CALLS: atomic_counters.cl:[[#@LINE+2]]:{{[0-9]+}}: error: kernel 'both' decrements its atomic counter 'd'
void up(counter32_t c) { atomic_inc(c); }
void down(counter32_t c) { atomic_dec(c); }
void other(counter32_t c, counter32_t d) { up(c); down(d); }
kernel void fine(counter32_t c, counter32_t d) { other(c, d); }
kernel void both(counter32_t c, counter32_t d) { other(c, d); up(d); }
#endif
#ifdef TOO_MANY
// TOO_MANY: error: kernel 'test' has 9 atomic counters, 8 are possible
kernel void test(counter64_t a, counter64_t b, counter64_t c, counter64_t d, counter64_t e,
                 counter64_t f, counter64_t g, counter64_t h, counter64_t i) {}
#endif

// PARTS: error: kernel 'parts' decrements its atomic counter 'c'
#ifdef FIRST_PART
void elsewhere(counter64_t c);
kernel void parts(counter64_t c) { atomic_inc(c); elsewhere(c); }
#endif
#ifdef SECOND_PART
void elsewhere(counter64_t c) { atomic_dec(c); }
#endif
