// SPDX-License-Identifier: Apache-2.0
// mul_hi of every type is one instruction, with as many lanes as its elements have.
// RUN: %cc %s --vlen=128 --emit=asm | FileCheck %s
// RUN: %cc %s --target=rv32imafdc_zve32f --vlen=128 --emit=asm | FileCheck %s
#define HIGH(type)                                                                                 \
    kernel void of_##type(global type *a, global const type *b, type c) {                          \
        size_t i = get_global_id(0);                                                               \
        a[i] = mul_hi(mul_hi(a[i], b[i]), c);                                                      \
    }
// CHECK-LABEL: of_char:
// CHECK: vsetvli {{.*}} e8, m8
// CHECK: vmulh.vv
// CHECK: vmulh.vx
HIGH(char)
// CHECK-LABEL: of_uchar:
// CHECK: vsetvli {{.*}} e8, m8
// CHECK: vmulhu.vv
// CHECK: vmulhu.vx
HIGH(uchar)
// CHECK-LABEL: of_short:
// CHECK: vsetvli {{.*}} e16, m8
// CHECK: vmulh.vv
// CHECK: vmulh.vx
HIGH(short)
// CHECK-LABEL: of_ushort:
// CHECK: vsetvli {{.*}} e16, m8
// CHECK: vmulhu.vv
// CHECK: vmulhu.vx
HIGH(ushort)
// CHECK-LABEL: of_int:
// CHECK: vsetvli {{.*}} e32, m8
// CHECK: vmulh.vv
// CHECK: vmulh.vx
HIGH(int)
// CHECK-LABEL: of_uint:
// CHECK: vsetvli {{.*}} e32, m8
// CHECK: vmulhu.vv
// CHECK: vmulhu.vx
HIGH(uint)
