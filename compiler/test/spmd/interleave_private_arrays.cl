// SPDX-License-Identifier: Apache-2.0
// Elements of private arrays lie side by side for all lanes: an index that all lanes share is a
// contiguous access, one of each lane's own an offset of 32 bits.
// RUN: %cc %s --vlen=256 --emit=spmd | FileCheck %s
// CHECK-LABEL: @shared_index(
// CHECK-NOT: strided
// CHECK-NOT: @llvm.vp.scatter
// CHECK: call <vscale x {{[0-9]+}} x float> @llvm.vp.load
// CHECK-NOT: strided
kernel void shared_index(global const float *in, global float *out, int n) {
    float a[32];
    int x = get_global_id(0), w = get_global_size(0);
    for (int k = 0; k < n; ++k)
        a[k] = in[k * w + x];
    for (int k = 1; k < n; ++k)
        a[k] += a[k - 1];
    for (int k = 0; k < n; ++k)
        out[k * w + x] = a[k];
}
// CHECK-LABEL: @own_index(
// CHECK: @llvm.riscv.vmadd{{.*}}i32
// CHECK: @llvm.vp.gather
// CHECK-NOT: <vscale x {{[0-9]+}} x i64> @llvm.vp.shl
kernel void own_index(global const uchar *in, global uint *out, int n) {
    uint count[16] = {0};
    int x = get_global_id(0), w = get_global_size(0);
    for (int k = 0; k < n; ++k)
        ++count[in[k * w + x] & 15];
    for (int k = 0; k < n; ++k)
        out[k * w + x] = count[k & 15];
}
// A pointer that walks through an array is an index; structures are copied field by field.
// CHECK-LABEL: @stack(
// CHECK-NOT: = phi <vscale x {{[0-9]+}} x ptr>
// CHECK-NOT: @llvm.memcpy
typedef struct {
    int node;
    float distance;
} Entry;
kernel void stack(global const Entry *tree, global float *out, float limit) {
    Entry entries[16], *top = entries;
    int x = get_global_id(0);
    *top++ = tree[x];
    float sum = 0;
    while (top != entries) {
        Entry now = *--top;
        sum += now.distance;
        if (now.distance < limit) {
            *top++ = tree[now.node];
            *top++ = tree[now.node + 1];
        }
    }
    out[x] = sum;
}
// An array that other code may see keeps C's layout.
// CHECK-LABEL: @mixed(
// CHECK: strided
kernel void mixed(global const uint *in, global uint *out, int n) {
    uint a[16];
    int x = get_global_id(0), w = get_global_size(0);
    for (int k = 0; k < n; ++k)
        a[k] = in[k * w + x];
    for (int k = 0; k < n; ++k)
        out[k * w + x] = ((uchar *)a)[k * 4 + 1];
}
// Only as many arrays are interleaved as a hart has memory for.
// RUN: %cc %s --vlen=512 -DELEMENTS=16384 -o %t --remarks 2>&1 | FileCheck %s --check-prefix=FEWER
// RUN: %cc --dump %t | FileCheck %s --check-prefix=STACK
// RUN: %cc %s --vlen=512 -DELEMENTS=65536 -o %t --remarks 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %cc --dump %t | FileCheck %s --check-prefix=ONE-STACK
// FEWER-NOT: 'large': one work-item after the other
// STACK: kernel large
// STACK-NEXT: stack 209{{[0-9]+}}, saved 0, private 65536
// ONE: interleave_private_arrays.cl:[[#@LINE+7]]: remark: kernel 'large': one work-item after the other: private variables of 262144 bytes, too large to lie side by side
// ONE-STACK: kernel large
// ONE-STACK-NEXT: stack 262{{[0-9]+}}, saved 0, private 262144
#ifdef ELEMENTS
kernel void large(global uint *out) {
    uint a[ELEMENTS], x = get_global_id(0);
    for (uint i = 0; i < ELEMENTS; ++i)
        a[i] = i * x;
    out[x] = a[out[x] % ELEMENTS];
}
#endif
