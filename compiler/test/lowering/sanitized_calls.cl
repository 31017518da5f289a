// SPDX-License-Identifier: Apache-2.0
// RUN: %cc %s --emit=llvm --vlen=512 -rv-sanitize=address -rvl-inline-budget=0 | FileCheck %s
// The sanitizer checks what is in kernels, so that no function stays one beside it.
// CHECK-NOT: kept-call
// CHECK: bad_access
__attribute__((noinline)) void fill(global int *p, int i, int n) {
    for (int j = 0; j < n; j++)
        p[i + j] = n;
}
kernel void f(global int *out, int n) { fill(out, get_global_id(0) * 4, n); }
