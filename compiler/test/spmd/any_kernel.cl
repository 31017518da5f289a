// SPDX-License-Identifier: Apache-2.0
// Kernels whose sub-groups are lanes have no scalar form: what prints vectors prints lane after
// lane, and a loop without an end runs for all lanes together.
// RUN: %cc %s -cl-std=CL3.0 --emit=spmd --remarks 2> %t.remarks | FileCheck %s
// RUN: not grep 'one work-item after the other' %t.remarks
// RUN: %cc %s -cl-std=CL3.0 -o %t
// RUN: %cc %s -cl-std=CL3.0 -o %t --target=rv32imafdc_zve32f --vlen=128

// CHECK-LABEL: define {{.*}}@print(
// CHECK: @llvm.vp.reduce.fadd
// CHECK: lane
// CHECK: insertelement <4 x float>
// CHECK: @printf(
kernel void print(global const float4 *a) {
    float4 v = a[get_global_id(0)];
    printf("%v4hlf of %f\n", v, sub_group_reduce_add(v.x));
}

// CHECK-LABEL: define {{.*}}@print_alone(
// CHECK: vscale
kernel void print_alone(global const float4 *a) { printf("%v4hlf\n", a[get_global_id(0)]); }

// CHECK-LABEL: define {{.*}}@print_constant(
// CHECK: vscale
kernel void print_constant(global int *a) {
    a[get_global_id(0)] = printf("%v2hhx\n", (uchar2)(0xfa, 0xfb));
}

// any() is one reduction of a vector, as InstCombine has it.
// CHECK-LABEL: define {{.*}}@any_of(
// CHECK: or <vscale
kernel void any_of(global const short2 *a, global int *b) {
    b[get_global_id(0)] = any(a[get_global_id(0)]);
}

// CHECK-LABEL: define {{.*}}@wait(
// CHECK: @llvm.riscv.vle{{.*}}nxv
// CHECK: @llvm.riscv.vse{{.*}}nxv
kernel void wait(global volatile uint *a, global uint *b) {
    uint sum = 0;
    if (b[get_global_id(0)] == 7)
        for (;;)
            a[get_global_id(0)] = sum += sub_group_any(a[get_global_id(0)]);
    b[get_global_id(0)] = sub_group_reduce_max(get_global_id(0));
}
