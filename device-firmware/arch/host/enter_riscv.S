/* SPDX-License-Identifier: Apache-2.0
 *
 * On RISC-V hosts: enters a kernel image the way the firmware on a hart does
 * (hal/protocol/launch.h).
 *
 *   void rvl_enter_image(record, words, frame, kernel, start)
 *
 * The image's start code saves nothing. After the kernel it executes `ecall` with a7 = gp, which is
 * not a valid system call number, so Linux returns and execution continues at the address gp points
 * to:
 *
 *   sp, gp  +------------------+
 *           | resume address   |
 *           | gp, ra           |
 *           | s0 … s11         |
 *           | fs0 … fs11       |
 *           +------------------+
 *
 * Signals are blocked on the thread, because handlers may rely on the process's gp. */
    .option arch, rv64gc
    .set integers, 24
    .set floats, integers + 12 * 8
    .set frame_bytes, 224

    .text
    .balign 4
    .globl  rvl_enter_image
    .hidden rvl_enter_image
    .type   rvl_enter_image, @function
rvl_enter_image:
    addi    sp, sp, -frame_bytes
    sd      gp, 8(sp)
    sd      ra, 16(sp)
    .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    sd      s\n, (integers + \n * 8)(sp)
    fsd     fs\n, (floats + \n * 8)(sp)
    .endr
    lla     t0, back
    sd      t0, 0(sp)
    fscsr   zero
    mv      gp, sp
    jr      a4
back:
    mv      sp, gp
    .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    ld      s\n, (integers + \n * 8)(sp)
    fld     fs\n, (floats + \n * 8)(sp)
    .endr
    ld      ra, 16(sp)
    ld      gp, 8(sp)
    addi    sp, sp, frame_bytes
    ret
    .size   rvl_enter_image, . - rvl_enter_image

    .section .note.GNU-stack, "", @progbits
