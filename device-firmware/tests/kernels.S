/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels for the tests on the device, in assembly so that every instruction is known. At entry
 * a0 = record, a1 = words, a2 = frame, a3 = the kernel; arguments begin at 192(a0). */

#define TOTAL_GROUPS 96
#define CHUNK 100
#define ARGUMENT 192
#define YIELD 64
#define FIRST_GROUP 20

/* t1 = first group of the next chunk; jumps to `done` if there is none. 4 instructions. */
.macro take_chunk done
        lwu     t0, CHUNK(a0)
        amoadd.w t1, t0, (a1)
        lwu     t2, TOTAL_GROUPS(a0)
        bgeu    t1, t2, \done
.endm
.macro kernel name
        .balign 256
\name:
.endm

        .text
kernel start                            # the image's entry stub: 2 instructions and the ecall
        jalr    a3
        li      a7, 0
        ecall

kernel count_groups                     # adds chunk to *p, then spends q rounds of 3 instructions
        ld      t4, ARGUMENT(a0)        # per chunk: 4 + 4 + 3 q + 1 + 2; once: 2, and 4 + 1 at the end
        ld      a4, ARGUMENT + 8(a0)
1:      take_chunk 4f
        sw      t1, FIRST_GROUP(a2)
        amoadd.w zero, t0, (t4)
        mv      t5, a4
        nop
2:      beqz    t5, 3f
        addi    t5, t5, -1
        j       2b
3:      lw      t3, YIELD(a1)
        beqz    t3, 1b
4:      ret

kernel append                           # *p = *p * 3 + q, by one hart without atomics
        take_chunk 1f
        ld      t4, ARGUMENT(a0)
        lw      t5, 0(t4)
        li      t6, 3
        mul     t5, t5, t6
        lw      t6, ARGUMENT + 8(a0)
        add     t5, t5, t6
        sw      t5, 0(t4)
1:      ret

kernel store
        take_chunk 1f
        sw      t1, FIRST_GROUP(a2)
        ld      t4, ARGUMENT(a0)
        sw      zero, 0(t4)
1:      ret

kernel load
        take_chunk 1f
        ld      t4, ARGUMENT(a0)
        lw      zero, 0(t4)
1:      ret

kernel jump
        take_chunk 1f
        ld      t4, ARGUMENT(a0)
        jr      t4
1:      ret

kernel illegal
        .4byte  0

kernel vector_store                     # 16 bytes from *p on, in one instruction
        take_chunk 1f
        ld      t4, ARGUMENT(a0)
        vsetivli t0, 16, e8, m1, ta, ma
        vmv.v.i v0, 1
        vse8.v  v0, (t4)
1:      ret

kernel overflow_stack
        addi    sp, sp, -64
        sd      ra, 0(sp)
        j       overflow_stack

kernel misaligned                       # lr: no extension allows that
        take_chunk 1f
        ld      t4, ARGUMENT(a0)
        lr.w    t5, (t4)
1:      ret

kernel spin                             # says which group it is in, tells *p, never returns
        take_chunk 2f
        sw      t1, FIRST_GROUP(a2)
        ld      t4, ARGUMENT(a0)
        amoadd.w zero, t0, (t4)
1:      j       1b
2:      ret

kernel unknown_call
        li      a7, 77
        ecall

kernel breakpoint
        ebreak

kernel read_counters
        take_chunk 1f
        ld      t4, ARGUMENT(a0)
        rdtime  t0
        sd      t0, 0(t4)
        rdcycle t0
        sd      t0, 8(t4)
        rdinstret t0
        sd      t0, 16(t4)
1:      ret

kernel describe_state                   # or of the registers that must be 0; fcsr, vstart; sp, frame
        or      t6, x3, x4
        .irp    n, 5,6,7,8,9,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
        or      t6, t6, x\n
        .endr
        take_chunk 1f
        ld      t4, ARGUMENT(a0)
        sd      t6, 0(t4)
        frcsr   t5
        sd      t5, 8(t4)
        csrr    t5, vstart
        sd      t5, 16(t4)
        sd      sp, 24(t4)
        sd      a2, 32(t4)
1:      ret

kernel leave_early                      # takes one chunk at each entry
        take_chunk 1f
        ld      t4, ARGUMENT(a0)
        amoadd.w zero, t0, (t4)
1:      ret

kernel leave_secret                     # in all registers, and from q to the end of the memory
        take_chunk 1f
        ld      t4, ARGUMENT + 8(a0)
        addi    t5, a2, 64
        li      t6, 0x5ec4e7
2:      sd      t6, 0(t4)
        addi    t4, t4, 8
        bltu    t4, t5, 2b
        .irp    n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        fmv.d.x f\n, t6
        .endr
        vsetvli t0, zero, e8, m8, ta, ma
        .irp    n, 0,8,16,24
        vmv.v.x v\n, t6
        .endr
1:      ret

kernel find_secret                      # *p = or of these registers, and of q to the frame
        take_chunk 1f
        vsetvli t0, zero, e8, m8, ta, ma
        .irp    n, 8,16,24
        vor.vv  v0, v0, v\n
        .endr
        vmv.v.i v8, 0
        vredor.vs v8, v0, v8
        vmv.x.s t6, v8
        .irp    n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        fadd.s  f0, f0, f\n              # no number, if anything
        .endr
        fmv.x.w t0, f0
        or      t6, t6, t0
        ld      t4, ARGUMENT + 8(a0)
2:      ld      t0, 0(t4)
        or      t6, t6, t0
        addi    t4, t4, 8
        bltu    t4, a2, 2b
        ld      t4, ARGUMENT(a0)
        sd      t6, 0(t4)
1:      ret

kernel wait                             # until *p is not 0
        take_chunk 1f
        ld      t4, ARGUMENT(a0)
2:      lw      t5, 0(t4)
        beqz    t5, 2b
1:      ret

kernel wait_for_interrupt
        wfi
        j       wait_for_interrupt

kernel compare_exchange                 # by the firmware: *p from 1 to 2
        take_chunk 1f
        ld      a0, ARGUMENT(a0)
        li      a1, 1
        li      a2, 0
        li      a3, 2
        li      a4, 0
        li      a7, 1
        ecall
1:      ret

kernel zero_block
        take_chunk 1f
        ld      t4, ARGUMENT(a0)
        .4byte  0x004ea00f              # cbo.zero (t4)
1:      ret

kernel copy_and_spin                    # an engine copies q bytes behind *p, which is then told
        ld      t4, ARGUMENT(a0)
        ld      a2, ARGUMENT + 8(a0)
        addi    a0, t4, 64
        addi    a1, t4, 1024
        li      a3, 1
        li      a7, 2
        ecall
        amoadd.w zero, a3, (t4)
1:      j       1b

kernel count_with_stack                 # adds 1 to *p for ever, with sp = q
        ld      t4, ARGUMENT(a0)
        ld      sp, ARGUMENT + 8(a0)
        li      a3, 1
1:      amoadd.w zero, a3, (t4)
        j       1b

/* The last one, because it is longer than the others' places. p: values of the f and v registers.
 * q: 0 says that it runs, 8 ends it, and the rest is what it then finds in its registers. */
kernel keep_registers
        take_chunk 1f
        ld      t4, ARGUMENT(a0)
        ld      t3, ARGUMENT + 8(a0)
        .irp    n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        fld     f\n, 8 * \n(t4)
        .endr
        csrr    t0, vlenb
        slli    t0, t0, 3
        addi    t4, t4, 256
        .irp    n, 0,8,16,24
        vl8re8.v v\n, (t4)
        add     t4, t4, t0
        .endr
        vsetivli zero, 5, e16, m2, ta, mu
        csrwi   vcsr, 5
        li      t1, 0x61
        fscsr   t1
        .irp    n, 0,1,2,3,4,5,6,7,8,9,10,11
        li      s\n, \n + 100
        .endr
        csrwi   vstart, 3               # as if stopped in the middle of an instruction
        li      t1, 1
        sw      t1, 0(t3)
2:      lw      t1, 8(t3)
        beqz    t1, 2b
        csrr    t1, vstart
        sd      t1, 16(t3)
        csrr    t1, vl
        sd      t1, 24(t3)
        csrr    t1, vtype
        sd      t1, 32(t3)
        csrr    t1, vcsr
        sd      t1, 40(t3)
        frcsr   t1
        sd      t1, 48(t3)
        .irp    n, 1,2,3,4,5,6,7,8,9,10,11
        add     s0, s0, s\n
        .endr
        sd      s0, 56(t3)
        csrwi   vstart, 0
        .irp    n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        fsd     f\n, 256 + 8 * \n(t3)
        .endr
        addi    t3, t3, 512
        .irp    n, 0,8,16,24
        vs8r.v  v\n, (t3)
        add     t3, t3, t0
        .endr
1:      ret
        .balign 256
