// SPDX-License-Identifier: Apache-2.0
// Guards on y and x are asked once for all rows, before the loop over them, so that what they have
// in common comes before the loop, too.
// RUN: %cc %s --emit=spmd | FileCheck %s
// RUN: %cc %s --vlen=512 --emit=asm | FileCheck --check-prefix=ASM %s
// RUN: %cc %s --target=rv64gcv_zba --vlen=512 --emit=asm | FileCheck --check-prefix=STRIPS %s
// CHECK-LABEL: @scaled(
// CHECK: call i64 @llvm.smin.i64
// CHECK: {{^}}all_rows:
// CHECK: call i64 @llvm.smin.i64
// CHECK: {{^}}y{{[0-9]*}}:
// CHECK-NOT: @llvm.smin
// CHECK-NOT: icmp sge
// CHECK: {{^}}}
// ASM-LABEL: scaled:
// ASM: flw
// ASM: mul
// ASM: vfmul.vf
// Strength reduction, which takes long, skips functions whose loops over strips contain no loop:
// the address is computed from the counter.
// STRIPS-LABEL: scaled:
// STRIPS: vsetvli {{.*}}, zero, e32, m8
// STRIPS: sh2add
// STRIPS: vl8re32.v
kernel void scaled(global float *a, constant float *by, int width, int height) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    a[y * width + x] *= by[0];
}
// Rows above and below are a pitch away: one multiplication for all of them.
// ASM-LABEL: column:
// ASM: mul [[ROW:.*]]
// ASM: vle32.v
// ASM-NOT: mul
kernel void column(global const float *in, global float *out, int pitch) {
    int x = get_global_id(0);
    int y = get_global_id(1);
    out[y * 64 + x] = in[y * pitch + x] + in[(y + 1) * pitch + x] + in[(y + 2) * pitch + x];
}
