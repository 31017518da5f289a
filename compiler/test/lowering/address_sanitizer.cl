// SPDX-License-Identifier: Apache-2.0
// -rv-sanitize=address: lanes are compared with the bounds before they load and store, an ecall
// reports the one that is beyond them, and without the option nothing of that is there.
// RUN: %cc %s --vlen=512 --emit=asm -rv-sanitize=address | FileCheck %s
// RUN: %cc %s --vlen=512 --emit=asm | FileCheck %s --check-prefix=WITHOUT
// RUN: not %cc %s --emit=asm -rv-sanitize=memory 2>&1 | FileCheck %s --check-prefix=OTHER
// CHECK-LABEL: gather:
// CHECK-DAG: vms{{leu.vv|gtu.vx}}
// CHECK-DAG: vluxei32.v
// CHECK-DAG: li a7, 90
// CHECK: ecall
// CHECK: {{(load|store) of 4 bytes.n.*sanitizer.cl:17.n}}
// WITHOUT-NOT: ecall
// WITHOUT-NOT: {{of 4 bytes}}
// OTHER: build options: -rv-sanitize=memory: there is only address
kernel void gather(global const int *index, global const float *from, global float *to) {
    to[get_global_id(0)] = from[index[get_global_id(0)]];
}
