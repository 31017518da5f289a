/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs before the firmware and leaves state as a boot loader, a debugger or an earlier run
 * might: arbitrary values in registers and CSRs, PMP entries that open memory, pending software
 * interrupts and timers. The test jumps here from the firmware's first instructions and fills in
 * the words below. */

#include "device-firmware/tests/dirty_entry.inc"

#define FIRMWARE 0x80000000
#define CLINT 0x02000000
#define STEPS 64

#if __riscv_xlen == 64
#define OPERATIONS 37
#define UNLOCKED 0x7f7f7f7f7f7f7f7f /* entries that are not locked */
#else
#define OPERATIONS 41
#define UNLOCKED 0x7f7f7f7f
#endif

        .option norelax
        .text
        j       begin
        .balign 8
seed:   .8byte  1
harts:  .8byte  1
first:  .8byte  0                       /* what stood at FIRMWARE */
locked: .8byte  0                       /* the register of entry 15: pmpcfg2, pmpcfg3 */
arrived: .8byte 0

begin:
        csrw    mie, zero
        csrci   mstatus, 8              /* MIE: an interrupt would be ours */
        la      t0, skip
        csrw    mtvec, t0
        csrr    s0, mhartid
        mv      s1, a1
        LOAD    s11, seed
        addi    t0, s0, 1
        mul     s11, s11, t0

        la      t0, arrived             /* all harts, before the first one changes the code */
        li      t1, 1
        ADD     zero, t1, (t0)
        LOAD    t2, harts
1:      LOAD    t1, (t0)
        bltu    t1, t2, 1b
        la      t0, first               /* two instructions of four bytes */
        li      t2, FIRMWARE
        lw      t1, (t0)
        sw      t1, (t2)
        lw      t1, 4(t0)
        sw      t1, 4(t2)
        fence   rw, rw
        fence.i

        random  t0                      /* software interrupts of some harts, the own timer */
        li      t3, CLINT
        LOAD    t4, harts
2:      andi    t2, t0, 1
        srli    t0, t0, 1
        sw      t2, (t3)
        addi    t3, t3, 4
        addi    t4, t4, -1
        bnez    t4, 2b
        li      t3, CLINT + 0x4000
        slli    t2, s0, 3
        add     t3, t3, t2
        sw      zero, (t3)
        sw      zero, 4(t3)

        li      s2, STEPS
3:      random  s3
        random  s4
        li      t0, UNLOCKED
        and     s5, s4, t0
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
        .irp csr, mie, mideleg, medeleg, satp, mcounteren, scounteren, mcountinhibit, menvcfg, senvcfg
        csrw    \csr, s4
        j       4f
        .endr
        .irp csr, mepc, mcause, mtval, mscratch, stvec, sepc, sscratch, stimecmp, fcsr, vstart
        csrw    \csr, s4
        j       4f
        .endr
        .irp csr, pmpcfg0, pmpcfg2
        csrw    \csr, s5
        j       4f
        .endr
#if __riscv_xlen == 32
        .irp csr, pmpcfg1, pmpcfg3
        csrw    \csr, s5
        j       4f
        .endr
        .irp csr, mstatush, stimecmph
        csrw    \csr, s4
        j       4f
        .endr
#endif
        .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
        csrw    pmpaddr\n, s4
        j       4f
        .endr
        .if     . - ops != 8 * OPERATIONS
        .error  "OPERATIONS is wrong"
        .endif
        .option pop
4:      addi    s2, s2, -1
        bnez    s2, 3b

        LOAD    t0, locked
        beqz    t0, 5f
        li      t1, -1
        csrw    pmpaddr15, t1
#if __riscv_xlen == 64
        csrw    pmpcfg2, t0
#else
        csrw    pmpcfg3, t0
#endif
5:      random  t0
        csrw    mtvec, t0
        random  t0
        andi    t0, t0, ~8              /* MIE would end us here */
        csrw    mstatus, t0             /* from here on MPRV may be set: no loads and stores */
        .irp    n, 1,2,3,4,7,8,10,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,28,29,30,31
        random  x\n
        .endr
        mv      a1, s1                  /* the device tree, as it was given */
        li      t0, FIRMWARE
        jr      t0

        .balign 4
skip:   csrr    t6, mepc                /* a register that this hart does not have */
        addi    t6, t6, 4
        csrw    mepc, t6
        mret
