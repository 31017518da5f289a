// SPDX-License-Identifier: Apache-2.0
// A program that doesn't name the extension has the names of its types and functions for itself.
// RUN: %cc %s -o %t 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: {{.}}
typedef ushort bfloat;
typedef struct { bfloat lo, hi; } bfloat2;
float vload_bfloat(size_t i, global bfloat *p) { return as_float((uint)p[i] << 16); }
kernel void own(global bfloat *a, global float *b) { b[0] = vload_bfloat(1, a); }
