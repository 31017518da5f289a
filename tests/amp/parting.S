/* SPDX-License-Identifier: Apache-2.0
 *
 * The first code that runs on QEMU's virt machine, in its NOR flash. Harts go to OpenSBI, which takes
 * what comes next from a2 (struct fw_dynamic_info), except that with FIRMWARE_IN_M_MODE harts 2 and 3
 * go to our firmware. With STARTER, what comes next is the code of that name, in S mode: it has
 * OpenSBI start the firmware on hart 2, as a boot loader would, and goes on to Linux. */
#define HSM 0x48534d                    /* SBI: hart state management */
        .section .text
        .globl _start
_start:
#ifdef FIRMWARE_IN_M_MODE
        csrr    a0, mhartid
        li      t0, 2
        bgeu    a0, t0, firmware
#endif
        csrr    a0, mhartid
        li      a1, OPENSBI_TREE
        la      a2, next_stage
        li      t0, OPENSBI
        jr      t0
#ifdef FIRMWARE_IN_M_MODE
firmware:
        li      a1, 0                   /* it has a tree of its own */
        li      t0, FIRMWARE
        jr      t0
#endif

starter:
        mv      s0, a0
        li      a0, 2
        li      a1, FIRMWARE
        li      a2, 0                   /* it has a tree of its own */
        li      a6, 0                   /* HART_START */
        li      a7, HSM
        ecall
        mv      a0, s0
        li      a1, LINUX_TREE
        li      t0, LINUX
        jr      t0

        .balign 8
next_stage:
        .8byte  0x4942534f              /* "OSBI" */
        .8byte  2                       /* version */
#ifdef STARTER
        .8byte  starter
#else
        .8byte  LINUX
#endif
        .8byte  1                       /* S mode */
        .8byte  0                       /* options */
        .8byte  0                       /* the hart that boots, of those that come here */
