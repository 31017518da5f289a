// SPDX-License-Identifier: Apache-2.0
// Code that only some lanes run is under masks where that costs little, else behind a branch on
// whether any lane is active.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @little(
// CHECK-NOT: vp.reduce.or
// CHECK: select <vscale x [[N:[0-9]+]] x i1> %
// CHECK: call void @llvm.vp.store
kernel void little(global const float *a, global float *b) {
    int x = get_global_id(0);
    float v = a[x];
    if (v > 0)
        v = v * v + a[x + 7];
    b[x] = v;
}
// CHECK-LABEL: @much(
// CHECK: [[ANY:%.*]] = call i1 @llvm.vp.reduce.or
// CHECK-NEXT: br i1 [[ANY]], label %[[SOME:.*]], label %
// CHECK: [[SOME]]:
// CHECK: @llvm.sqrt
kernel void much(global const float *a, global float *b) {
    int x = get_global_id(0);
    float v = a[x];
    if (v > 0) {
        v = v * v + 3;
        v = sqrt(v) * v;
        v = v * v * v - 7 / v;
        v = v / (v * v + 1);
        v = v * v * v + v;
        v = v * (v + 5) * (v + 6) / (v + 2);
    }
    b[x] = v;
}
// A loop that makes up a whole masked region needs no test for active lanes in addition to the region's.
// CHECK-LABEL: @nested(
// CHECK: vp.reduce.or
// CHECK-NOT: vp.reduce.or
// CHECK: {{^}}}
kernel void nested(global const float *a, global float *b, int n) {
    int x = get_global_id(0);
    if (a[x] > 0) {
        float s = 0;
        for (int k = 0; k < n; ++k)
            s += a[k];
        b[x] = s;
    }
}
// The mask behind a merge is the mask before the branch.
// CHECK-LABEL: @rejoined(
// CHECK-NOT: or <vscale x {{[0-9]+}} x i1>
// CHECK: {{^}}}
kernel void rejoined(global const float *a, global float *b) {
    int x = get_global_id(0);
    float v = a[x];
    if (v > 0) {
        v = sqrt(v);
        if (v > 2)
            v = v * 3 / (v + a[(int)v & 7]);
        v = b[(int)v & 7] + v;
    }
    b[x + 100] = v;
}
// Merging the masks of two edges takes a few mask operations.
// RUN: %cc %s --emit=asm | FileCheck %s --check-prefix=BITS
// BITS-LABEL: either:
// BITS-COUNT-4: vm{{(and|andn|or|nand|orn)}}.mm
// BITS-NOT: vm{{(and|andn|or|nand|orn)}}.mm
// BITS: ret
kernel void either(global int *a, global const int *b, int k) {
    uint i = get_global_id(0);
    int v = a[i], w = b[i];
    if (w > 7)
        if ((v & k) == 0 ? v > w : v < w)
            a[i] = w;
}
