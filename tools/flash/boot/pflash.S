/* SPDX-License-Identifier: Apache-2.0
 *
 * The boot stage in NOR flash: all harts begin here after reset, a1 = device tree. Hart 0 copies the
 * firmware to where it is linked and wakes the others by their software interrupts; none of them
 * looks at memory before, which holds anything. Position independent; the four words at 0x20
 * are filled in when the image is made.
 *
 * CLINT is where virt has it. */
#define CLINT 0x2000000
#define MSIP 8
#define MOST_HARTS 64

        .option norvc
        .globl _start
_start:
        csrw    mie, zero
        csrr    a0, mhartid
        la      s0, source
        bnez    a0, other_hart
        j       copy
        .org    0x20
source: .dword  0                       /* in flash */
        .dword  0                       /* where it is linked */
        .dword  0                       /* bytes */
        .dword  0                       /* entry */
copy:
        ld      t0, 0(s0)
        ld      t1, 8(s0)
        ld      t2, 16(s0)
        add     t2, t2, t1
1:      ld      t3, 0(t0)               /* up to 7 bytes too many: the stack comes later */
        sd      t3, 0(t1)
        addi    t0, t0, 8
        addi    t1, t1, 8
        bltu    t1, t2, 1b
        fence   rw, rw
        fence.i
        li      t0, CLINT
        li      t1, 1
        li      t2, MOST_HARTS - 1
2:      sw      t1, 4(t0)               /* harts that are not there ignore it */
        addi    t0, t0, 4
        addi    t2, t2, -1
        bgtz    t2, 2b
        j       enter
other_hart:
        csrwi   mie, MSIP
3:      wfi
        csrr    t0, mip
        andi    t0, t0, MSIP
        beqz    t0, 3b
        csrw    mie, zero
        slli    t0, a0, 2
        li      t1, CLINT
        add     t0, t0, t1
        sw      zero, 0(t0)
        fence   iorw, iorw
        fence.i
enter:
        ld      t0, 24(s0)
        jr      t0
