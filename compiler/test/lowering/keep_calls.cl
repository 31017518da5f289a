// SPDX-License-Identifier: Apache-2.0
// Large built-in functions stay functions if a program calls them many times.
// RUN: %cc %s --emit=spmd --vlen=512 | FileCheck %s
// CHECK: define internal void @[[ROW:.*read_imagef.*\.lanes\.[a-z]+]](i32 %0
// CHECK: define hidden void @reads(
// CHECK-COUNT-16: call void @[[ROW]](
// RUN: %cc %s --emit=spmd --vlen=512 -DFEW | FileCheck --check-prefix=FEW %s
// FEW-NOT: call {{.*}}read_imagef
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
#define READ(i) sum += read_imagef(image, nearest, (int2)(x + i, y));
#define READS(i) READ(i) READ(i + 1) READ(i + 2) READ(i + 3)
kernel void reads(read_only image2d_t image, global float4 *out) {
    int x = get_global_id(0), y = get_global_id(1);
    float4 sum = 0;
    READS(0)
#ifndef FEW
    READS(4)
    READS(8)
    READS(12)
#endif
    out[x] = sum;
}
