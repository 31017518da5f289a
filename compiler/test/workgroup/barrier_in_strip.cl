// SPDX-License-Identifier: Apache-2.0
// RUN: %cc --vlen=512 --emit=asm -o - %s | FileCheck %s
// A barrier of a work-group that is one strip is no instruction: nothing is stored that the kernel
// doesn't store, no region asks how the one before it ended, and a loop stays one loop.
// CHECK-LABEL: turn:
// CHECK: vlse32.v
// CHECK: [[LOOP:.LBB[0-9_]+]]:
// CHECK-NOT: vl4re32.v
// CHECK: vs4r.v
// CHECK-NOT: vs4r.v
// CHECK: vlse32.v
// CHECK-NOT: v{{[ls]}}4r{{.*}}.v
// CHECK-NOT: .LBB0_{{[0-9]+}}:
// CHECK: bnez {{.*}}, [[LOOP]]
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void turn(global float *x, int n, local float *t) {
    int id = get_local_id(0);
    float v = x[get_global_id(0)];
    for (int k = 0; k < n; k++) {
        t[id] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        v += t[63 - id];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[get_global_id(0)] = v;
}

// Values that are exchanged over barriers stay in registers, too.
// CHECK-LABEL: rotate:
// CHECK: vfmadd.vf
// CHECK: [[ROTATION:.LBB[0-9_]+]]:
// CHECK-NOT: vl4re32.v
// CHECK: vs4r.v
// CHECK-NOT: v{{[ls]}}4r{{.*}}.v
// CHECK: vlse32.v
// CHECK-NOT: v{{[ls]}}4r{{.*}}.v
// CHECK: bnez {{.*}}, [[ROTATION]]
__attribute__((reqd_work_group_size(64, 1, 1)))
kernel void rotate(global float *x, int n, local float *t) {
    int id = get_local_id(0);
    float a = x[get_global_id(0)], b = a * 2.0f + 1.0f;
    for (int k = 0; k < n; k++) {
        t[id] = a;
        barrier(CLK_LOCAL_MEM_FENCE);
        float c = t[63 - id];
        barrier(CLK_LOCAL_MEM_FENCE);
        a = b;
        b = c;
    }
    x[get_global_id(0)] = a - b;
}
