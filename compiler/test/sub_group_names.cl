// SPDX-License-Identifier: Apache-2.0
// Functions of cl_intel_subgroups are declared however a program comes by their names.
// RUN: %cc %s --vlen=512 -cl-std=CL3.0 -DREVERSED=intel_sub_group_shuffle_xor -o %t
// RUN: %cc %s --vlen=512 -cl-std=CL3.0 -DPASTED -o %t
// RUN: %cc %s --vlen=512 -cl-std=CL3.0 -I %S/Inputs -DINCLUDED -o %t
// RUN: %cc %s --vlen=512 -cl-std=CL3.0 -DREVERSED=intel_sub_group_shuffle_xor --emit=ast | FileCheck %s
// CHECK: FunctionDecl {{.*}} intel_sub_group_shuffle_xor
// RUN: not %cc %s --vlen=512 -cl-std=CL3.0 -DREVERSED=intel_sub_group_nonsense -o %t 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR-COUNT-1: error: use of undeclared identifier 'intel_sub_group_nonsense'
// ERROR-NOT: error: use
#if defined(PASTED)
#define JOIN(A, B) A##B
#define REVERSED JOIN(intel_sub, _group_shuffle_xor)
#elif defined(INCLUDED)
#include "sub_group_names.h"
#endif
kernel void f(global int *a) { a[get_global_id(0)] = REVERSED(a[get_global_id(0)], 1u); }
