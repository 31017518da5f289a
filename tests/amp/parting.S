/* SPDX-License-Identifier: Apache-2.0
 *
 * The first code that runs on QEMU's virt machine, in its NOR flash: it parts the harts. Harts 2
 * and 3 go to our firmware, the others to OpenSBI, which takes what comes next from a2 (struct
 * fw_dynamic_info). */
        .section .text
        .globl _start
_start:
        csrr    a0, mhartid
        li      t0, 2
        bgeu    a0, t0, firmware
        li      a1, LINUX_TREE
        la      a2, next_stage
        li      t0, OPENSBI
        jr      t0
firmware:
        li      a1, 0                   /* it has a tree of its own */
        li      t0, FIRMWARE
        jr      t0

        .balign 8
next_stage:
        .8byte  0x4942534f              /* "OSBI" */
        .8byte  2                       /* version */
        .8byte  LINUX
        .8byte  1                       /* S mode */
        .8byte  0                       /* options */
        .8byte  0                       /* the hart that boots, of those that come here */
