// SPDX-License-Identifier: Apache-2.0
// In rows over few bits, ids are compared by the numbers of lanes, which have 16 bits, or 8 if there are
// few lanes.
// RUN: %cc %s --emit=spmd --vlen=512 | FileCheck %s
// RUN: %cc %s --emit=spmd --vlen=128 | FileCheck %s --check-prefix=SHORT
// CHECK-LABEL: define {{.*}}@inside(
// CHECK-NOT: icmp {{.*}}<vscale x {{[0-9]+}} x i32>
// CHECK: icmp uge <vscale x 64 x i16>
// CHECK-NOT: icmp {{.*}}<vscale x {{[0-9]+}} x i32>
// CHECK: ret void
// SHORT-LABEL: define {{.*}}@inside(
// SHORT: icmp uge <vscale x 64 x i8>
kernel void inside(global uchar *a, int low, int high, int by) {
    int x = get_global_id(0);
    uchar v = a[x];
    if (v < 9 && x + by > low)
        v += 3;
    a[x] = v;
}
// From a lane on, where the id is subtracted.
// CHECK-LABEL: define {{.*}}@falling(
// CHECK-NOT: icmp {{.*}}<vscale x {{[0-9]+}} x i32>
// CHECK: icmp ult <vscale x 32 x i16> %{{[0-9]+}}, %
// CHECK-NOT: icmp {{.*}}<vscale x {{[0-9]+}} x i32>
// CHECK: ret void
kernel void falling(global ushort *a, int limit, int by) {
    int x = get_global_id(0);
    ushort v = a[x];
    if (v < 9 && by - x >= limit)
        v += 3;
    a[x] = v;
}
// Not what may wrap, isn't apart by 1 or is compared next to elements of 32 bits.
// CHECK-LABEL: define {{.*}}@wraps(
// CHECK: icmp {{.*}}<vscale x {{[0-9]+}} x i32>
// CHECK: ret void
kernel void wraps(global uchar *a, uint limit, uint by) {
    uint x = get_global_id(0);
    uchar v = a[x];
    if (v < 9 && x + by < limit)
        v += 3;
    a[x] = v;
}
// CHECK-LABEL: define {{.*}}@apart(
// CHECK: icmp {{.*}}<vscale x {{[0-9]+}} x i32>
// CHECK: ret void
kernel void apart(global uchar *a, int limit, int by) {
    int x = get_global_id(0);
    uchar v = a[x];
    if (v < 9 && 3 * x + by < limit)
        v += 3;
    a[x] = v;
}
// CHECK-LABEL: define {{.*}}@words(
// CHECK: icmp {{.*}}<vscale x {{[0-9]+}} x i32>
// CHECK: ret void
kernel void words(global uint *a, int limit, int by) {
    int x = get_global_id(0);
    uint v = a[x];
    if (v < 9 && x + by < limit)
        v += 3;
    a[x] = v;
}
