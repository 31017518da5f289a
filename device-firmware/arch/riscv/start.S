/* SPDX-License-Identifier: Apache-2.0
 *
 * Entry point of every hart (a1 = address of a flattened device tree, or garbage; in S mode, a0 =
 * the hart's id), and the way into U mode and back. The firmware runs with interrupts off: a trap
 * from its own mode is a bug and ends in riscv_firmware_trap. A trap from U mode appears as the
 * return of riscv_enter_user.
 *
 * XSCRATCH: the arch_hart while the hart is in U mode, else 0. */
#include "arch_state.h"
#include "device-firmware/arch/riscv/privilege.h"
#define RVL_PAGE_BYTES 4096 /* of hal/protocol/version.h; main.c asserts it */

#if __riscv_xlen == 64
#define LOAD ld
#define STORE sd
#else
#define LOAD lw
#define STORE sw
#endif

        .section .start, "ax"
        .globl _start
_start:
        csrw    XIE, zero
#ifndef BOARD_SUPERVISOR
        csrr    a0, mhartid             /* the register may hold anything at entry */
#endif
        li      t0, XSTATUS_INHERITED   /* MPRV and MBE, before any load or store; MDT, before any trap */
        csrc    XSTATUS, t0
        csrw    XSCRATCH, zero
#ifdef BOARD_SUPERVISOR
        csrw    satp, zero              /* after an SBI it is; paging.c sets it */
        sfence.vma
#elif __riscv_xlen == 32
        la      t0, 1f
        csrw    XTVEC, t0
        csrw    mstatush, zero          /* traps before privileged 1.12, which has none of it */
        .balign 4
1:
#endif
        la      t0, trap_entry
        csrw    XTVEC, t0
        .option push
        .option norelax
        la      gp, __global_pointer$
        .option pop

        la      t0, harts_arrived       /* stacks in order of arrival: ids may be any numbers */
        li      t1, 1
        amoadd.w.aqrl t2, t1, (t0)
        li      t0, MAX_HARTS
        bgeu    t2, t0, park
        la      sp, hart_stacks
        li      t0, HART_STACK_BYTES
        addi    t1, t2, 1
        mul     t0, t0, t1
        add     sp, sp, t0
        addi    sp, sp, -HART_STACK_TOP_BYTES
        STORE   a0, 0(sp)               /* riscv_hart_id() */

        bnez    t2, riscv_other_hart_main
        la      t0, bss_start           /* the first hart to arrive boots */
        la      t1, bss_end
1:      STORE   zero, 0(t0)
        addi    t0, t0, REGISTER_BYTES
        bltu    t0, t1, 1b
        j       riscv_boot_hart_main
        .balign 4
park:
        wfi
        j       park

/* Stores the registers on the stack for failures; sp was in the CSR. */
        .macro  fail_with_registers kept_sp, again=park
        la      sp, panic_claimed
        amoadd.w sp, sp, (sp)           /* the first hart's: its own address makes it non-zero */
        bnez    sp, \again
        la      sp, panic_stack_end - (HART_STACK_TOP_BYTES + 32 * REGISTER_BYTES)
        .irp    n, 1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        STORE   x\n, HART_X(\n)(sp)
        .endr
        csrr    t0, \kept_sp
        STORE   t0, HART_X(2)(sp)
        STORE   zero, HART_X(0)(sp)
        .option push
        .option norelax
        la      gp, __global_pointer$
        .option pop
        .endm

#ifndef BOARD_SUPERVISOR
/* Resumable non-maskable interrupts (Smrnmi) and traps while one is handled, from any mode. A hart has
 * vectors of its own for them, which a board sets to this address (firmware.ld). */
        .section .start.nmi, "ax"
        .balign 4
        .globl  riscv_nmi_entry
riscv_nmi_entry:
        csrw    MNSCRATCH, sp
        fail_with_registers MNSCRATCH, 1f
        csrw    XSCRATCH, zero
        mv      a0, sp                  /* mnstatus.NMIE stays clear: the cause may still be pending */
        csrrw   a1, MNCAUSE, zero       /* no later exception takes it for its own */
        csrr    a2, MNEPC
        j       riscv_nmi_trap
/* If it is the report itself that comes here, it goes on where other traps would make it go on. The
 * stack alone doesn't tell, because kernels can set sp as they like; but only the report has another
 * vector than they have. */
1:      csrr    sp, MNSCRATCH
        csrr    t0, XTVEC
        la      t1, trap_entry
        beq     t0, t1, park
        la      t0, panic_stack_end
        sub     t0, t0, sp
        li      t1, HART_STACK_BYTES
        bgeu    t0, t1, park
        li      t0, XSTATUS_XPP         /* xRET stays in this mode, also if it was no exception */
        csrs    XSTATUS, t0
        csrrw   t0, MNCAUSE, zero       /* an interrupt's is not 0 */
        beqz    t0, 2f
        csrw    XCAUSE, t0              /* an exception has set these by itself */
        csrr    t0, MNEPC
        csrw    XEPC, t0
        csrw    XTVAL, zero
2:      csrr    t0, XTVEC
        jr      t0
#endif

        .text
        .globl  trap_entry
        .balign 4
trap_entry:
        csrrw   a0, XSCRATCH, a0
        bnez    a0, user_trap
        csrrw   a0, XSCRATCH, zero
        csrw    XSCRATCH, sp            /* the stack may be what failed */
        fail_with_registers XSCRATCH
        csrw    XSCRATCH, zero
        mv      a0, sp
        j       riscv_firmware_trap

/* minstret is read as late as possible, so that a kernel's instruction count does not depend on the
 * entry path. All registers but sp may change: the callers (riscv.h) keep what they need. */
        .macro  leave_firmware
        STORE   ra, HART_FIRMWARE_PC(a0)
        STORE   sp, HART_FIRMWARE_SP(a0)
        csrw    XSCRATCH, a0
        .endm
/* In S mode, kernels and the firmware have page tables of their own. Both map the firmware's memory
 * to itself, so that this code goes on. Changes t0. */
        .macro  switch_tables to
#ifdef BOARD_SUPERVISOR
        LOAD    t0, \to(a0)
        csrw    satp, t0
        LOAD    t0, HART_SATP_FENCE(a0)
        beqz    t0, 9f
        sfence.vma
9:
#endif
        .endm
        .macro  enter_user set_t0:vararg
        switch_tables HART_KERNEL_SATP
        csrr    t0, XINSTRET
        STORE   t0, HART_INSTRUCTIONS_BEFORE(a0)
        \set_t0
        LOAD    a0, HART_X(10)(a0)
        XRET
        .endm

/* a0: arch_hart, a1: a1 in the kernel, a2: sp and a2, a3: pc, a4: a0, a5: a3. All other registers
 * are zero. */
        .globl riscv_begin_user
riscv_begin_user:
        leave_firmware
        csrw    XEPC, a3
        STORE   a4, HART_X(10)(a0)
        mv      sp, a2
        mv      a3, a5
        .irp    n, 1,3,4,6,7,8,9,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        li      x\n, 0
        .endr
        enter_user li t0, 0

/* a0: arch_hart. Resumes where the kernel was interrupted. */
        .globl riscv_enter_user
riscv_enter_user:
        leave_firmware
        LOAD    t0, HART_X(0)(a0)
        csrw    XEPC, t0
        .irp    n, 1,2,3,4,6,7,8,9
        LOAD    x\n, HART_X(\n)(a0)
        .endr
        .irp    n, 11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        LOAD    x\n, HART_X(\n)(a0)
        .endr
        enter_user LOAD t0, HART_X(5)(a0)

/* For a kernel that ends (RVL_ECALL_EXIT is 0), the registers need not be saved, and t0 is 0 on
 * return. */
user_trap:
        STORE   t0, HART_X(5)(a0)
        csrr    t0, XINSTRET
        STORE   t0, HART_INSTRUCTIONS_AFTER(a0)
        switch_tables HART_FIRMWARE_SATP
        csrr    t0, XCAUSE
        addi    t0, t0, -CAUSE_ECALL_FROM_U
        or      t0, t0, a7
        bnez    t0, 1f
        csrw    XSCRATCH, zero
        LOAD    sp, HART_FIRMWARE_SP(a0)
        LOAD    ra, HART_FIRMWARE_PC(a0)
        ret
1:      .irp    n, 1,2,3,4,6,7,8,9
        STORE   x\n, HART_X(\n)(a0)
        .endr
        .irp    n, 11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        STORE   x\n, HART_X(\n)(a0)
        .endr
        csrrw   t0, XSCRATCH, zero      /* the kernel's a0 */
        STORE   t0, HART_X(10)(a0)
        csrr    t0, XEPC
        STORE   t0, HART_X(0)(a0)
        li      t0, 1
        LOAD    sp, HART_FIRMWARE_SP(a0)
        LOAD    ra, HART_FIRMWARE_PC(a0)
        ret

/* _Noreturn void arch_panic(firmware *, const char *why): the handler of the trap finds `why` in a1. */
        .globl arch_panic
        .balign 4
arch_panic:
        ebreak

/* riscv_trial riscv_try(void (*code)(uintptr_t), uintptr_t argument) */
        .globl riscv_try
riscv_try:
        addi    sp, sp, -16 * REGISTER_BYTES
        STORE   ra, 0 * REGISTER_BYTES(sp)
        STORE   s0, 1 * REGISTER_BYTES(sp)
        STORE   s1, 2 * REGISTER_BYTES(sp)
        STORE   s2, 3 * REGISTER_BYTES(sp)
        STORE   s3, 4 * REGISTER_BYTES(sp)
        STORE   s4, 5 * REGISTER_BYTES(sp)
        STORE   s5, 6 * REGISTER_BYTES(sp)
        STORE   s6, 7 * REGISTER_BYTES(sp)
        STORE   s7, 8 * REGISTER_BYTES(sp)
        STORE   s8, 9 * REGISTER_BYTES(sp)
        STORE   s9, 10 * REGISTER_BYTES(sp)
        STORE   s10, 11 * REGISTER_BYTES(sp)
        STORE   s11, 12 * REGISTER_BYTES(sp)
        STORE   gp, 13 * REGISTER_BYTES(sp)
        la      t0, 1f
        csrrw   t0, XTVEC, t0
        STORE   t0, 14 * REGISTER_BYTES(sp)
        csrw    XSCRATCH, sp
        mv      t0, a0
        mv      a0, a1
        jalr    t0
        li      a0, 1
        j       2f
        .balign 4
1:      csrr    sp, XSCRATCH
        csrr    a1, XEPC
        la      t0, 2f
        csrw    XEPC, t0
        li      a0, 0
        XRET                            /* also clears MDT */
2:      csrw    XSCRATCH, zero
        LOAD    t0, 14 * REGISTER_BYTES(sp)
        csrw    XTVEC, t0
        LOAD    ra, 0 * REGISTER_BYTES(sp)
        LOAD    s0, 1 * REGISTER_BYTES(sp)
        LOAD    s1, 2 * REGISTER_BYTES(sp)
        LOAD    s2, 3 * REGISTER_BYTES(sp)
        LOAD    s3, 4 * REGISTER_BYTES(sp)
        LOAD    s4, 5 * REGISTER_BYTES(sp)
        LOAD    s5, 6 * REGISTER_BYTES(sp)
        LOAD    s6, 7 * REGISTER_BYTES(sp)
        LOAD    s7, 8 * REGISTER_BYTES(sp)
        LOAD    s8, 9 * REGISTER_BYTES(sp)
        LOAD    s9, 10 * REGISTER_BYTES(sp)
        LOAD    s10, 11 * REGISTER_BYTES(sp)
        LOAD    s11, 12 * REGISTER_BYTES(sp)
        LOAD    gp, 13 * REGISTER_BYTES(sp)
        addi    sp, sp, 16 * REGISTER_BYTES
        ret

/* void riscv_save_registers(uintptr_t x[32]): saves the caller's registers; x[0] is the return
 * address. */
        .globl riscv_save_registers
riscv_save_registers:
        STORE   ra, HART_X(0)(a0)
        .irp    n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        STORE   x\n, HART_X(\n)(a0)
        .endr
        ret

/* Run in U mode at boot to measure the round trip. Together with _start on the first page, the
 * only one that U mode may read and execute at that time (protection_allow_calibration). */
        .section .start, "ax"
        .balign 4
        .globl riscv_calibration_call
riscv_calibration_call:
        ecall
/* Probes whether U mode can zero and clean cache blocks, at address 0, which belongs to no
 * kernel. */
        .balign 4
        .globl riscv_calibration_zero
riscv_calibration_zero:
        .4byte  0x0040200f              /* cbo.zero (zero) */
        ecall
        .balign 4
        .globl riscv_calibration_clean
riscv_calibration_clean:
        .4byte  0x0010200f              /* cbo.clean (zero) */
        ecall
/* Probes whether U mode is kept from accessing the address in a0. */
        .balign 4
        .globl riscv_calibration_load
riscv_calibration_load:
        lw      a0, (a0)
        ecall
        .balign 4
        .globl riscv_calibration_store
riscv_calibration_store:
        sw      a0, (a0)
        ecall
        .balign 4
        .globl riscv_calibration_jump
riscv_calibration_jump:
        jr      a0
        .section .rodata.calibration_outside, "a"
        .balign 4
        .globl riscv_calibration_outside
riscv_calibration_outside:
        ecall

        .section .rodata.device_tree, "a"
        .balign 8
        .globl riscv_board_tree
riscv_board_tree:
        .incbin "board.dtb"

        .section .data
        .balign 4
harts_arrived:
        .4byte  0

panic_claimed:
        .4byte  0

/* Each stack has a guard page below it (pmp.c). */
        .section .stacks, "aw", @nobits
        .balign RVL_PAGE_BYTES
        .globl hart_stacks
hart_stacks:
        .skip   MAX_HARTS * HART_STACK_BYTES
        .skip   HART_STACK_BYTES
panic_stack_end:

        .section .note.GNU-stack, "", @progbits
