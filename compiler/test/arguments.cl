// SPDX-License-Identifier: Apache-2.0
// The application can ask for a kernel's arguments: names, types, qualifiers, layout.
// RUN: %cc %s -o %t -cl-kernel-arg-info && %cc --dump %t | FileCheck %s
// RUN: %cc %s -o %t && %cc --dump %t | FileCheck --check-prefix=NAMELESS %s
// RUN: %cc %s --emit=object -o %t.1 -cl-kernel-arg-info && %cc %t.1 -o %t
// RUN: %cc --dump %t | FileCheck --check-prefix=KNOWN %s
// NAMELESS-NOT: argument information
// KNOWN: argument information

typedef struct {
    float4 a;
    int b;
} pair;

// CHECK: kernel every at 0x{{[1-9a-f][0-9a-f]*}}, 104 bytes of arguments
// CHECK-NEXT: stack
// CHECK-NEXT: argument 0 at 0, 8 bytes: global restrict volatile float* a aligned 4
// CHECK-NEXT: argument 1 at 8, 8 bytes: global const uchar4* b aligned 4
// CHECK-NEXT: argument 2 at 16, 8 bytes: constant const int* c aligned 4
// CHECK-NEXT: argument 3 at 24, 8 bytes: local float3* d aligned 16
// CHECK-NEXT: argument 4 at 32, 1 bytes: value char e
// CHECK-NEXT: argument 5 at 48, 16 bytes: value float3 f
// CHECK-NEXT: argument 6 at 64, 32 bytes: value pair g
// CHECK-NEXT: argument 7 at 96, 8 bytes: value ulong h
kernel void every(global volatile float *restrict a, const global uchar4 *b, constant int *c,
                  local float3 *d, char e, float3 f, pair g, ulong h) {
    a[0] = b[0].x + c[0] + d[0].x + e + f.x + g.b + h;
}

// CHECK: kernel none at
// CHECK-NOT: argument 0
kernel void none(void) {}
