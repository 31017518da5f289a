// SPDX-License-Identifier: Apache-2.0
// Separate compilation: objects, libraries, images (5.6.2, 5.6.3).
// RUN: %cc %s -I %S/Inputs --emit=object -o %t.o
// RUN: %cc %S/Inputs/twice.cl --emit=object -o %t.twice.o
// RUN: %cc %t.o %t.twice.o -o %t.rvk && %cc --dump %t.rvk | FileCheck %s
// RUN: %cc %t.twice.o -create-library -o %t.library
// RUN: %cc %t.o %t.library -o %t.rvk && %cc --dump %t.rvk | FileCheck %s
// CHECK: kernel f at
// RUN: not %cc %t.rvk -o %t.again 2>&1 | FileCheck --check-prefix=IMAGE %s
// IMAGE: rivulet-cc: '{{.*}}' is compiled already; --dump prints what it says
// RUN: not %cc %t.o -o %t.rvk 2>&1 | FileCheck --check-prefix=MISSING %s
// MISSING: kernel 'f': undefined function 'twice'
// RUN: not %cc %t.o %t.o %t.twice.o -o %t.rvk 2>&1 | FileCheck --check-prefix=DOUBLE %s
// DOUBLE: symbol multiply defined
// RUN: not %cc %t.o %t.twice.o -DX -o %t.rvk 2>&1 | FileCheck --check-prefix=OPTION %s
// OPTION: build options: '-DX' is an option for compiling
// RUN: %cc %t.twice.o -create-library -enable-link-options -o %t.library
// RUN: %cc %t.o %t.library -cl-denorms-are-zero -cl-no-signed-zeroes -cl-finite-math-only \
// RUN:   -cl-unsafe-math-optimizations -cl-fast-relaxed-math -o %t.rvk
// RUN: not %cc %t.twice.o -enable-link-options -o %t.rvk 2>&1 \
// RUN:   | FileCheck --check-prefix=ALONE %s
// ALONE: build options: -enable-link-options needs -create-library
#include "twice.h"
kernel void f(global int *a) { a[0] = twice(a[1]); }
