# SPDX-License-Identifier: Apache-2.0
# Start on QEMU's "virt" without firmware: vector unit on, stack, main, power off.
    .section .text.start, "ax"
    .globl _start
_start:
    la      sp, stack_top
    li      t0, (3 << 13) | (3 << 9)
    csrs    mstatus, t0
    csrw    fcsr, zero
    la      t0, trap
    csrw    mtvec, t0
    call    main
    li      t1, 0x5555
    j       1f
    .balign 4
trap:
    csrr    a0, mcause
    csrr    a1, mepc
    csrr    a2, mtval
    la      sp, stack_top
    call    trapped
    li      t1, 0x13333
1:  li      t0, 0x100000
    sw      t1, 0(t0)
2:  wfi
    j       2b
    .bss
    .balign 16
    .space  0x100000
stack_top:
