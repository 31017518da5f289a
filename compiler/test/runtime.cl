// SPDX-License-Identifier: Apache-2.0
// A function that the code generator calls by name is in the image if it is called, and only then.
// RUN: %cc %s -o %t --target=rv64gc -DHALF && %nm %t | FileCheck --check-prefix=HALF %s
// HALF-DAG: __extendhfsf2
// HALF-DAG: __truncsfhf2
// RUN: %cc %s -o %t --target=rv64gcv_zvfh -DHALF && %nm %t | FileCheck --check-prefix=NONE %s
// NONE-NOT: __extendhfsf2
#ifdef HALF
kernel void f(global float *a, global half *b) { vstore_half(vload_half(0, b) + a[0], 1, b); }
#endif
