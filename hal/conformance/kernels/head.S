/* SPDX-License-Identifier: Apache-2.0
 *
 * Start of the image: the entry stub (hal/protocol/launch.h), then the kernels' offsets. */
    .section .head, "ax"
image:
#ifdef __riscv
    .option norvc
    jalr    a3
    mv      a7, gp /* RVL_ECALL_EXIT */
    ecall
#if __riscv_xlen == 64
    ld      a0, 0(gp) /* under loopback */
#else
    lw      a0, 0(gp)
#endif
    jr      a0
#else
    .byte 0 /* kernels are called directly; never executed */
#endif
    .balign 64
#define KERNEL(name) .4byte name - image, 0;
#include "kernels.def"
