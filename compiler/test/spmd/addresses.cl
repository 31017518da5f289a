// SPDX-License-Identifier: Apache-2.0
// Terms that are uniform for a strip come first in an address, constants last: neighbours share the
// rest.
// RUN: %cc %s --emit=spmd | FileCheck %s
// CHECK-LABEL: @neighbours(
// CHECK: [[ROW:%[0-9]+]] = getelementptr i8, ptr addrspace(1) %{{.*}}, i64 %
// CHECK: [[LANE:%[0-9]+]] = getelementptr i8, ptr addrspace(1) [[ROW]], i64 %
// CHECK: getelementptr i8, ptr addrspace(1) [[LANE]], i64 4
// CHECK: getelementptr i8, ptr addrspace(1) [[LANE]], i64 8
kernel void neighbours(global const float *a, global float *b, int pitch) {
    int x = get_global_id(0), y = get_global_id(1);
    global const float *row = a + y * pitch;
    float sum = row[x] * row[x + 1] * row[x + 2];
    for (int i = 0; i < pitch; ++i)
        sum = sum * sum + row[i];
    b[x] = sum;
}
