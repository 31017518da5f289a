/* SPDX-License-Identifier: Apache-2.0
 *
 * Acts like a boot chain before the firmware: harts that arrive late, or without some misa
 * extensions, arbitrary values in a0 and a1, and PMP entries of its own. Runs in flash; starts_test.py fills in the
 * words. */
#define MTIME 0x0200bff8
#if __riscv_xlen == 64
#define LOAD ld
#else
#define LOAD lw
#endif
        .option norelax
        .text
        j       begin
        .balign 8
entry:  .8byte  0x80000000
delay:  .8byte  0                       /* ticks, of all harts but `prompt` */
prompt: .8byte  0
misa:   .8byte  0                       /* bits that those lose */
set:    .8byte  0                       /* else a0 and a1 stay as they are */
given:  .8byte  0, 0
pmp:    .8byte  0, 0, 0, 0, 0, 0, 0, 0  /* pmpaddr0 to 7 */
config: .8byte  0                       /* of these entries; 0: nothing is written */
rules:  .8byte  0                       /* mseccfg */

begin:
        csrr    t1, mhartid
        LOAD    t2, prompt
        beq     t1, t2, 2f
        LOAD    t2, misa
        csrc    misa, t2
        li      t3, MTIME
        lw      t4, (t3)
        LOAD    t2, delay
1:      lw      t5, (t3)
        sub     t5, t5, t4
        bltu    t5, t2, 1b
2:      LOAD    t2, set
        beqz    t2, 3f
        LOAD    a0, given
        LOAD    a1, given + 8
3:      LOAD    t3, config
#if __riscv_xlen == 32
        lw      t4, config + 4
        or      t2, t3, t4
        beqz    t2, 4f
#else
        beqz    t3, 4f
#endif
        .irp    n, 0,1,2,3,4,5,6,7
        LOAD    t2, pmp + 8 * \n
        csrw    pmpaddr\n, t2
        .endr
        LOAD    t2, rules
        andi    t5, t2, 4               /* RLB can't be set once an entry is locked, */
        beqz    t5, 5f
        csrw    0x747, t5
5:      csrw    pmpcfg0, t3
#if __riscv_xlen == 32
        csrw    pmpcfg1, t4
#endif
        beqz    t2, 4f                  /* MML and MMWP need entries for this code */
        csrw    0x747, t2
4:      LOAD    t2, entry
        jr      t2
