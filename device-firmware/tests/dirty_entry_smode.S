/* SPDX-License-Identifier: Apache-2.0
 *
 * dirty_entry.S for firmware in S mode: runs between the SBI and the firmware and leaves state as a boot
 * loader might, which also may have started all harts: arbitrary values in registers and CSRs of S
 * mode, pending software interrupts and timers, and paging. The test jumps here from the firmware's
 * first instructions and fills in the words below. */

#include "device-firmware/tests/dirty_entry.inc"

#define STEPS 64
#define SBI_HSM 0x48534d /* function 0: hart_start */

#if __riscv_xlen == 64
#define OPERATIONS 12
#define SATP_MODE 1 << 63 /* Sv39, whose table here maps 512 GiB by leaves of 1 GiB */
#define ENTRIES 512
#else
#define OPERATIONS 13
#define SATP_MODE 1 << 31 /* Sv32, whose table here maps 4 GiB by leaves of 4 MiB */
#define ENTRIES 1024
#endif

        .option norelax
        .text
        j       begin
        .balign 8
seed:   .8byte  1
harts:  .8byte  1
first:  .8byte  0                       /* what stood at `entry` */
entry:  .8byte  0                       /* of the firmware */
claimed: .8byte 0
arrived: .8byte 0

begin:
        csrw    sie, zero
        csrci   sstatus, 2              /* SIE: an interrupt would be ours */
        la      t0, skip
        csrw    stvec, t0
        mv      s0, a0                  /* the hart's id */
        mv      s1, a1                  /* the device tree; for the others, what hart_start passes */
        LOAD    s11, seed
        addi    t0, s0, 1
        mul     s11, s11, t0

        la      t0, claimed
        li      t1, 1
        ADD     t1, t1, (t0)
        bnez    t1, 3f
        li      s2, 0
1:      beq     s2, s0, 2f
        mv      a0, s2
        la      a1, begin
        mv      a2, s1
        li      a6, 0
        li      a7, SBI_HSM
        ecall
2:      addi    s2, s2, 1
        LOAD    t2, harts
        bltu    s2, t2, 1b

3:      la      t0, arrived             /* all harts, before the first one changes the code */
        li      t1, 1
        ADD     zero, t1, (t0)
        LOAD    t2, harts
4:      LOAD    t1, (t0)
        bltu    t1, t2, 4b
        la      t0, first               /* two instructions of four bytes */
        LOAD    t2, entry
        lw      t1, (t0)
        sw      t1, (t2)
        lw      t1, 4(t0)
        sw      t1, 4(t2)
        fence   rw, rw
        fence.i

        li      s2, STEPS
5:      random  s3
        random  s4
        li      t0, OPERATIONS
        remu    s3, s3, t0
        slli    s3, s3, 3
        la      t0, ops
        add     t0, t0, s3
        jr      t0
        .option push
        .option norvc
        .balign 8
ops:
        .irp csr, sie, sip, sepc, scause, stval, sscratch, scounteren, senvcfg, stimecmp, fcsr, vstart
        csrw    \csr, s4
        j       6f
        .endr
#if __riscv_xlen == 32
        csrw    stimecmph, s4
        j       6f
#endif
        j       page
        nop
        .if     . - ops != 8 * OPERATIONS
        .error  "OPERATIONS is wrong"
        .endif
        .option pop
page:   la      t0, table
        srli    t0, t0, 12
        li      t1, SATP_MODE
        or      t0, t0, t1
        csrw    satp, t0
        sfence.vma
6:      addi    s2, s2, -1
        bnez    s2, 5b

        LOAD    s2, entry
        random  t0
        csrw    stvec, t0
        random  t0
        andi    t0, t0, ~2              /* SIE would end us here */
        csrw    sstatus, t0
        mv      a0, s0
        mv      t0, s2
        .irp    n, 1,2,3,4,7,8,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,28,29,30,31
        random  x\n
        .endr
        mv      a1, s1                  /* the device tree, as it was given */
        jr      t0

        .balign 4
skip:   csrr    t6, sepc                /* a register that this hart does not have */
        addi    t6, t6, 4
        csrw    sepc, t6
        sret

        .balign 4096
table:                                  /* valid, of S mode, with all rights, accessed and dirty */
        .set    i, 0
        .rept   ENTRIES
#if __riscv_xlen == 64
        .8byte  i << 28 | 0xcf
#else
        .4byte  i << 20 | 0xcf
#endif
        .set    i, i + 1
        .endr
