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
    ld      a0, 0(gp) /* under loopback */
    jr      a0
#else
    .byte 0 /* kernels are called; nobody comes here */
#endif
    .balign 64
#define KERNEL(name) .quad name - image;
#include "kernels.def"
