// SPDX-License-Identifier: Apache-2.0
// Strips between an image's borders do without what keeps the others inside: no gathers, no masks.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @clamped(
// CHECK: part{{(\.i[0-9]*)*[0-9]*}}:
// CHECK: version{{(\.i[0-9]*)*[0-9]*}}:
// CHECK-COUNT-2: call <vscale x {{[0-9]+}} x float> @llvm.vp.load
// CHECK: version1{{(\.i[0-9]*)*[0-9]*}}:
// CHECK: call <vscale x {{[0-9]+}} x float> @llvm.riscv.vluxei
kernel void clamped(global const float *a, global float *b, int width) {
    int x = get_global_id(0);
    b[x] = a[min(x + 1, width - 1)] - a[max(x - 1, 0)];
}
// A loop's index is somewhere between its first and its last value.
// CHECK-LABEL: @radius(
// CHECK: part{{(\.i[0-9]*)*[0-9]*}}:
// CHECK: version{{(\.i[0-9]*)*[0-9]*}}:
// CHECK: call <vscale x {{[0-9]+}} x float> @llvm.vp.load
// CHECK: version1{{(\.i[0-9]*)*[0-9]*}}:
// CHECK: call <vscale x {{[0-9]+}} x float> @llvm.riscv.vluxei
kernel void radius(global const float *a, global float *b, int width, int r) {
    int x = get_global_id(0);
    float sum = 0;
    for (int k = -r; k <= r; ++k)
        sum += a[clamp(x + k, 0, width - 1)];
    b[x] = sum;
}
// Groups whose accesses are all inside run without bounds checks: an index that might wrap is still
// below the limit.
// CHECK-LABEL: @tile(
// CHECK-NOT: {{^}}part
// CHECK: call <vscale x {{[0-9]+}} x float> @llvm.vp.load{{.*}}splat (i1 true)
// CHECK-NOT: <vscale x {{[0-9]+}} x i1> %
// CHECK: call void @llvm.vp.store
// CHECK: icmp slt <vscale x
kernel void tile(global const float *a, global float *b, int width) {
    local float t[16];
    int x = get_group_id(0) * 16 + get_local_id(0);
    if (x < width)
        t[get_local_id(0)] = a[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[get_global_id(0)] = t[get_local_id(0) ^ 1];
}
// A ring's neighbours: only the first and the last work-item divide.
// CHECK-LABEL: @ring(
// CHECK: version{{(\.i[0-9]*)*[0-9]*}}:
// CHECK-NOT: @llvm.vp.urem
// CHECK: version1{{(\.i[0-9]*)*[0-9]*}}:
// CHECK: @llvm.vp.urem
kernel void ring(global const float *a, global float *b, uint n) {
    uint x = get_global_id(0);
    b[x] = a[(x + n - 1) % n] + a[(x + 1) % n];
}
// A 64-bit limit that wrapped below zero is beyond all work-items, and so is (size_t)n of a negative
// int n: the row has no interior then.
// CHECK-LABEL: @unsigned_limit(
// CHECK: icmp ult i64 {{%[0-9]+}}, 1099511627776
kernel void unsigned_limit(global ulong *out, ulong n) {
    ulong x = get_global_id(0);
    out[x] = max(x, n);
}
// CHECK-LABEL: @signed_limit(
// CHECK: icmp sgt i32 {{%[0-9]+}}, -1
kernel void signed_limit(global ulong *out, int n) {
    ulong x = get_global_id(0);
    out[x] = max(x, (ulong)n);
}
// The same where such a limit cancels out of a comparison: the sum may have wrapped.
// CHECK-LABEL: @cancelled(
// CHECK: icmp ult i64 {{%[0-9]+}}, 2199023255552
kernel void cancelled(global const int *a, global int *b, long n) {
    long i = max((long)(get_global_id(0) + (ulong)n), n + 5);
    b[get_global_id(0)] = a[i - n];
}
// A multiple of a number below 2^40 may wrap: its comparison isn't decided, though the maximum is.
// CHECK-LABEL: @multiple(
// CHECK: icmp ult i64 {{%[0-9]+}}, 2199023255552
// CHECK-NOT: i64 {{%[0-9]+}}, -67108864
// CHECK: version{{(\.i[0-9]*)*[0-9]*}}:
// CHECK: icmp sgt <vscale x
// CHECK: version1{{(\.i[0-9]*)*[0-9]*}}:
kernel void multiple(global int *out, long n, long m) {
    ulong x = get_global_id(0);
    long a = max((long)((x + (ulong)n) << 11), m);
    out[x] = (long)((ulong)a << 15) > 20 ? 1 : 2;
}
// Limits have 64 bits, but a loop may count with more.
// CHECK-LABEL: @wide_count(
// CHECK-NOT: {{^}}part
// CHECK: {{^}}}
kernel void wide_count(global const int *a, global int *b, ulong n) {
    int x = get_global_id(0);
    int sum = 0;
    int i = 0;
    for (unsigned _BitInt(100) count = 0; count < (unsigned _BitInt(100))n * n; ++count)
        sum += a[max(x - i++, 0)];
    b[x] = sum;
}
// A loop until i == int(n) that ends by its break takes any number of turns where n is negative.
// CHECK-LABEL: @nearly_endless(
// CHECK: icmp slt i32 {{%[0-9]+}}, 0
// CHECK: version{{(\.i[0-9]*)*[0-9]*}}:
kernel void nearly_endless(global const int *a, global int *b, int n) {
    int x = get_global_id(0);
    int sum = 0;
    for (long i = 0; i != (long)n; ++i) {
        sum += a[max(x - i, 0l)];
        if (a[i] & 1)
            break;
    }
    b[x] = sum;
}
// A merge in a loop that scalar evolution takes for the loop's index is no header's phi node.
// CHECK-LABEL: @merge_of_index(
// CHECK: {{^}}}
kernel void merge_of_index(global const int *a, global int *b, global int *c, uint n, uint w) {
    uint x = get_global_id(0);
    int sum = 0;
    for (uint i = 1; i < n; ++i) {
        uint j;
        if (i == 0) {
            b[x] = 3;
            j = 1;
        } else {
            c[x] = sum;
            j = i;
        }
        sum += a[min(x + j, w)];
    }
    b[x] = sum;
}
// A border isn't peeled where hardly any instruction is saved.
// CHECK-LABEL: @little(
// CHECK-NOT: {{^}}part
// CHECK: {{^}}}
kernel void little(global const float *a, global float *b, int width) {
    int x = get_global_id(0);
    float v = a[x];
    for (int k = 0; k < width; ++k)
        v = sqrt(v * a[x + k * 64] + 1);
    b[x] = v + max(x, width);
}
// Strips of a border choose their LMUL for themselves: 128 lanes, where strips inside have 512.
// RUN: %cc %s --emit=spmd --vlen=512 | FileCheck %s --check-prefix=BORDER
// BORDER-LABEL: @bytes(
// BORDER: and i32 %{{.*}}, -128
// BORDER: version{{(\.i[0-9]*)*[0-9]*}}:
// BORDER: call <vscale x 64 x i8> @llvm.vp.load
// BORDER: version1{{(\.i[0-9]*)*[0-9]*}}:
// BORDER: call <vscale x 16 x i8> @llvm.riscv.vluxei
kernel void bytes(global const uchar *a, global uchar *b) {
    int x = get_global_id(0);
    b[x] = max(a[x], a[max(x - 1, 0)]);
}
