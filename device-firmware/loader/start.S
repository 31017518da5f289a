/* SPDX-License-Identifier: Apache-2.0
 *
 * Where harts enter the slot. Nothing is known but that this memory can be written. */
        .section .text.start, "ax"
        .globl _start
_start:
        csrw    mie, zero
        li      t0, 1 << 42             /* MDT: else the trap below is a double one (Smdbltrp) */
        csrc    mstatus, t0
        mv      s0, a0
        mv      s1, a1
        lla     t0, harts_arrived
        li      t1, 1
        amoadd.w.aqrl t2, t1, (t0)
        bnez    t2, wait                /* the first one loads */
        lla     t0, trapped             /* the destination may be nowhere */
        csrw    mtvec, t0
        lla     sp, stack_end
        call    load_payload            /* the entry, or 0 */
        fence   rw, w
        lla     t0, verdict
        beqz    a0, failed
        sd      a0, 8(t0)
        fence   rw, w
        li      t1, 1
        sw      t1, 0(t0)
        j       enter
        .balign 4
trapped:
        lla     t0, payload
        li      t1, 3                   /* RVL_PAYLOAD_NO_MEMORY */
        sw      t1, 4(t0)
        lla     t0, verdict
failed:
        li      t1, 2
        sw      t1, 0(t0)
        j       park

/* Others look at the verdict; they have no stack and need none. */
wait:
        lla     t0, verdict
1:      .4byte  0x0100000f              /* pause */
        lw      t1, 0(t0)
        beqz    t1, 1b
        fence   r, rw
        li      t2, 1
        bne     t1, t2, park
        ld      a0, 8(t0)
enter:
        fence.i
        mv      t0, a0
        mv      a0, s0
        mv      a1, s1
        jr      t0
park:
        wfi
        j       park

        .data
        .balign 8
harts_arrived:
        .4byte  0
        .balign 16
verdict:
        .4byte  0                       /* 1: enter, 2: park */
        .balign 8
        .8byte  0                       /* the entry */
        .balign 16
        .skip   512
stack_end:
