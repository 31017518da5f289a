/* SPDX-License-Identifier: Apache-2.0
 *
 * Handler for expected traps on accesses to CSRs that may not exist (csr_try_write,
 * csr_try_read): clears t5 and skips the 4-byte instruction. mret also resets the trap state
 * of Smdbltrp, so that the next trap is not a double trap. */
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
