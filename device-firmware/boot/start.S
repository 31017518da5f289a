/* SPDX-License-Identifier: Apache-2.0
 *
 * The boot stage in NOR flash: all harts begin here after reset, a1 = device tree. The boot hart
 * copies the stage to RAM, which is not read before then, and brings the others there: nothing can
 * be fetched from the flash while it is being written. It then chooses the firmware (main.c), and
 * all harts jump to it.
 *
 * The stage is linked for RAM; what runs before the copy is position independent. */
#include "board.h"
#include "device-firmware/boot/memory.h"
#define MSIP 8

#if __riscv_xlen == 64
#define STORE sd
#define LOAD ld
#define WORD 8
#else
#define STORE sw
#define LOAD lw
#define WORD 4
#endif

        .section .text.start, "ax"
        .option norvc
        .globl _start
_start:
        csrw    mie, zero
        csrr    a0, mhartid
        la      t0, _start              /* in flash */
        li      t1, BOOT_STAGE_BASE
        j       begin
        .org    32                      /* RVL_BOOT_LAYOUT_OFFSET */
        .globl boot_layout
boot_layout:
        .fill   40, 1, 0                /* filled in when the image is made */
begin:
#if __riscv_xlen == 64
        li      t2, 1 << 42             /* MDT: else the first trap is a double trap (Smdbltrp) */
        csrc    mstatus, t2
#else
        la      t2, 1f
        csrw    mtvec, t2
        csrw    mstatush, zero          /* harts before privileged 1.12 trap; they have no MDT */
        .balign 4
1:
#endif
        li      t2, BOARD_BOOT_HART
        bne     a0, t2, other_hart
        la      t2, stage_end
        mv      t3, t0
        mv      t4, t1
1:      LOAD    t5, 0(t3)
        STORE   t5, 0(t4)
        addi    t3, t3, WORD
        addi    t4, t4, WORD
        bltu    t3, t2, 1b
        la      t3, in_ram
        sub     t3, t3, t0
        add     t3, t3, t1
        fence   rw, rw
        fence.i
        jr      t3

other_hart:
        csrwi   mie, MSIP
2:      wfi
        csrr    t2, mip
        andi    t2, t2, MSIP
        beqz    t2, 2b
        la      t3, wait_in_ram
        sub     t3, t3, t0
        add     t3, t3, t1
        fence   iorw, iorw
        fence.i
        jr      t3

in_ram:
        mv      s0, a0
        mv      s1, a1
        mv      s2, t0
        la      t0, park
        csrw    mtvec, t0
        la      sp, stage_stack_end
        la      t2, stage_end
        la      t3, stage_bss_end
3:      bgeu    t2, t3, 4f
        STORE   zero, 0(t2)
        addi    t2, t2, WORD
        j       3b
4:      call    wake_others
        mv      a0, s2
        call    stage_main
        beqz    a0, park
        la      t0, entry
        STORE   a0, 0(t0)
        fence   rw, rw
        call    wake_others
        j       enter

wait_in_ram:                            /* clearing the interrupt signals arrival */
        mv      s0, a0
        mv      s1, a1
        slli    t0, a0, 2
        li      s2, BOARD_CLINT_BASE
        add     s2, s2, t0
        sw      zero, 0(s2)
        j       6f
5:      wfi
        csrr    t0, mip
        andi    t0, t0, MSIP
        beqz    t0, 5b
        sw      zero, 0(s2)
6:      fence   iorw, iorw
        la      t0, entry               /* already set for a late hart */
        LOAD    t0, 0(t0)
        beqz    t0, 5b
enter:
        csrw    mie, zero
        la      t0, entry
        LOAD    t0, 0(t0)
        mv      a0, s0
        mv      a1, s1
        fence   rw, rw
        fence.i
        jr      t0

        .balign 4
park:   wfi
        j       park

wake_others:                            /* missing harts ignore it */
        li      t0, BOARD_CLINT_BASE
        li      t1, 1
        li      t2, 0
7:      beq     t2, s0, 8f
        sw      t1, 0(t0)
8:      addi    t0, t0, 4
        addi    t2, t2, 1
        li      t3, BOOT_MOST_HARTS
        bltu    t2, t3, 7b
        ret

        .data
        .balign 8
entry:  .dword  0
