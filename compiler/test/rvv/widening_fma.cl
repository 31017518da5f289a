// SPDX-License-Identifier: Apache-2.0
// Two jammed rows share b[k][x]: neither converts it.
// RUN: %cc %s --vlen=512 --emit=asm -o - | FileCheck %s
// RUN: %cc %s -DT=__bf16 --target=rv64gcv_zfbfmin_zvfbfmin_zvfbfwma --vlen=512 --emit=asm -o - | FileCheck --check-prefix=BF16 %s
#ifndef T
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define T half
#endif
// CHECK-NOT: vfwcvt
// CHECK: vle16.v [[B:v[0-9]+]],
// CHECK: vfwmacc.vf [[FIRST:v[0-9]+]], {{fa[0-9]}}, [[B]]
// CHECK: vfwmacc.vf {{v[0-9]+}}, {{fa[0-9]}}, [[B]]
// CHECK-NOT: vfwcvt
// BF16-NOT: vfwcvt
// BF16: vfwmaccbf16.vf
// BF16-NOT: vfwcvt
kernel void product(global const T *restrict a, global const T *restrict b,
                    global float *restrict c, int depth, int width) {
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < depth; ++k)
        sum = fma((float)a[y * depth + k], (float)b[k * width + x], sum);
    c[y * width + x] = sum;
}
