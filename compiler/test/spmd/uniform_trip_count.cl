// SPDX-License-Identifier: Apache-2.0
// Loops whose bounds differ between lanes, but not how often they run: all lanes leave together.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @window(
// CHECK: icmp {{s?}}gt i64
// CHECK-NOT: icmp {{.*}}<vscale
// CHECK-NOT: phi <vscale x {{[0-9]+}} x i1>
// CHECK: {{^}}}
kernel void window(global const uchar *a, global uchar *b, int r) {
    int x = get_global_id(0);
    uchar least = 255;
    for (int i = x - r; i <= x + r; ++i)
        least = min(least, a[i + 100]);
    b[x] = least;
}
// CHECK-LABEL: @chunk(
// CHECK-NOT: icmp {{.*}}<vscale
// CHECK-NOT: phi <vscale x {{[0-9]+}} x i1>
// CHECK: {{^}}}
kernel void chunk(global const float *a, global float *b, int per) {
    int x = get_global_id(0);
    float sum = 0;
    for (int i = x * per; i < (x + 1) * per; ++i)
        sum += a[i];
    b[x] = sum;
}
// A distance that differs between lanes gives no uniform trip count.
// CHECK-LABEL: @until(
// CHECK: phi <vscale x {{[0-9]+}} x i1>
kernel void until(global const float *a, global float *b, int n) {
    int x = get_global_id(0);
    float sum = 0;
    for (int i = x * n; i <= x + n; ++i)
        sum += a[i];
    b[x] = sum;
}
