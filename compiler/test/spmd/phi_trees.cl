// SPDX-License-Identifier: Apache-2.0
// Ways of a long chain meet two by two: what is chosen and its mask don't live until the end.
// RUN: %cc %s --emit=spmd --vlen=512 | FileCheck %s
// CHECK-LABEL: define {{.*}} @chain(
// CHECK: .skip:
// CHECK-NEXT: = phi <vscale x 16 x float>
// CHECK-NEXT: = select
// CHECK: .skip:
// CHECK-NEXT: = phi <vscale x 16 x float>
// CHECK-NEXT: = select
// CHECK-NOT: = phi <vscale x 16 x i1>
// CHECK: ret void
#define OR(n) else if (v < n * 10) r = sqrt(r) * n + v;
kernel void chain(global float *to, global const int *from) {
    int i = get_global_id(0), v = from[i];
    float r = to[i];
    if (v < 0)
        r = 1;
    OR(1) OR(2) OR(3) OR(4) OR(5) OR(6) OR(7) OR(8) OR(9) OR(10) OR(11) OR(12) OR(13)
    OR(14) OR(15) OR(16) OR(17) OR(18) OR(19) OR(20) OR(21) OR(22) OR(23) OR(24) OR(25)
    else r = 0;
    to[i] = r;
}
