// SPDX-License-Identifier: Apache-2.0
// Tiles of XSfmm would tell other contexts what a kernel left there: nothing may use them.
// RUN: not %cc %s --target=rv64gcv_xsfmmbase_xsfmm32a32f -DUSE='__riscv_sf_mm_f_f_w1(0, v, v, 8, 8, 8)' -o %t 2>&1 | FileCheck -DNAME=sf.mm.f.f %s
// RUN: not %cc %s --target=rv64gcv_xsfmmbase_xsfmm32a32f -DUSE='__riscv_sf_vste32(0, p, 8)' -o %t 2>&1 | FileCheck -DNAME=sf.vste32 %s
// RUN: not %cc %s --target=rv64gcv_xsfmmbase_xsfmm32a32f -DUSE='__riscv_sf_vsettm_e32w1(8)' -o %t 2>&1 | FileCheck -DNAME=sf.vsettm %s
// RUN: not %cc %s --target=rv64gcv_xsfmmbase_xsfmm32a32f -DUSE='__asm__("li a0, 1; SF.VTZERO.T mt0" ::: "a0")' -o %t 2>&1 | FileCheck -DNAME=SF.VTZERO.T %s
// Also in a part that other parts are linked with.
// RUN: not %cc %s --target=rv64gcv_xsfmmbase_xsfmm32a32f -DUSE='__riscv_sf_vtzero_t(0, 8, 8, 5, 1)' --emit=object -o %t 2>&1 | FileCheck -DNAME=sf.vtzero.t %s
// CHECK: matrix_tiles.cl:[[#@LINE+9]]:{{[0-9]+}}: error: [[NAME]]: kernels can't use matrix tiles (XSfmm): the firmware doesn't clear them between contexts

// Other instructions of SiFive's are as good as anybody's.
// RUN: %cc %s --target=rv64gcv_xsfvqmaccdod -DUSE='__asm__("sf.vqmacc.2x8x2 v8, v4, v2")' -o %t
#include <riscv_vector.h>
#include <sifive_vector.h>

__attribute__((rivulet_sub_group)) void tiles(global float *p) {
    vfloat32m8_t v = __riscv_vle32_v_f32m8(p, 8);
    USE;
}
kernel void test(global float *p) { tiles(p); }
