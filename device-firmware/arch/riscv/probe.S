/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a trap goes that was expected: the access to a register that may not exist (csr_try_write,
 * csr_try_read). t5 becomes 0, and the instruction, of 4 bytes, is left out. mret also takes back what
 * Smdbltrp remembers of the trap, so that the next one is no double trap. */
        .section .text.riscv_probe_trap, "ax"
        .balign 4
        .globl riscv_probe_trap
riscv_probe_trap:
        csrr    t5, mepc
        addi    t5, t5, 4
        csrw    mepc, t5
        li      t5, 0
        mret

        .section .note.GNU-stack, "", @progbits
