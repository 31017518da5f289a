# SPDX-License-Identifier: Apache-2.0
# Bare-metal start for QEMU "virt", M-mode, -bios none.
    .section .text.init, "ax"
    .globl _start
_start:
    csrr    t0, mhartid
    bnez    t0, 9f
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      sp, __stack_top
    li      t0, (3 << 13) | (3 << 9)      # mstatus.FS = VS = dirty
    csrs    mstatus, t0
    csrw    fcsr, zero                    # RNE
    csrw    0x320, zero                   # mcountinhibit: count everything
    la      t0, trap_entry
    csrw    mtvec, t0
    la      t0, __bss_start
    la      t1, __bss_end
1:  bgeu    t0, t1, 2f
    sd      zero, 0(t0)
    addi    t0, t0, 8
    j       1b
2:  call    bench_entry
9:  wfi
    j       9b

    .balign 4
trap_entry:
    csrr    a0, mcause
    csrr    a1, mepc
    csrr    a2, mtval
    la      sp, __stack_top
    call    bench_trap
    j       9b
