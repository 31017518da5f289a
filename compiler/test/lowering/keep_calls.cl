// SPDX-License-Identifier: Apache-2.0
// Large built-in functions stay functions if a program calls them more than three times.
// RUN: %cc %s --emit=spmd --vlen=512 | FileCheck %s
// CHECK: define internal void @[[ROW:.*read_imagef.*\.lanes\.[a-z]+]](i32 %0
// CHECK: define hidden void @reads(
// CHECK-COUNT-16: call void @[[ROW]](
// Calls of several such functions are counted together.
// RUN: %cc %s --emit=spmd --vlen=512 -DMIXED | FileCheck --check-prefix=MIXED %s
// MIXED: define hidden void @reads(
// MIXED-COUNT-8: call void @{{.*}}read_imagef{{.*}}.lanes
// MIXED-COUNT-8: call void @{{.*}}write_imagef{{.*}}.lanes
// RUN: %cc %s --emit=spmd --vlen=512 -DWRITES | FileCheck --check-prefix=WRITES %s
// WRITES: define internal void @[[ROW:.*write_imagef.*\.lanes\.[a-z]+]](i32 %0
// WRITES: define hidden void @writes(
// WRITES-COUNT-16: call void @[[ROW]](
// RUN: %cc %s --emit=spmd --vlen=512 -DFEW | FileCheck --check-prefix=FEW %s
// FEW-NOT: call {{.*}}read_imagef
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
#define READ(i) sum += read_imagef(image, nearest, (int2)(x + i, y));
#define THREE_READS(i) READ(i) READ(i + 1) READ(i + 2)
#define READS(i) THREE_READS(i) READ(i + 3)
#define WRITE(i) write_imagef(to, (int2)(x + 16 * i, y), sum * i);
#define FOUR_WRITES(i) WRITE(i) WRITE(i + 1) WRITE(i + 2) WRITE(i + 3)
#ifdef WRITES
kernel void writes(write_only image2d_t to, global const float4 *in) {
    int x = get_global_id(0), y = get_global_id(1);
    float4 sum = in[x];
    FOUR_WRITES(0) FOUR_WRITES(4) FOUR_WRITES(8) FOUR_WRITES(12)
}
#else
kernel void reads(read_only image2d_t image, write_only image2d_t to, global float4 *out) {
    int x = get_global_id(0), y = get_global_id(1);
    float4 sum = 0;
#ifdef MIXED
    READS(0) READS(4) FOUR_WRITES(0) FOUR_WRITES(4)
#elif defined(FEW)
    THREE_READS(0)
#else
    READS(0) READS(4) READS(8) READS(12)
#endif
    out[x] = sum;
}
#endif
