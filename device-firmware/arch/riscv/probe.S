/* SPDX-License-Identifier: Apache-2.0
 *
 * Handler for expected traps on accesses to CSRs that may not exist (csr_try_write,
 * csr_try_read): clears t5 and skips the 4-byte instruction. XRET also resets the trap state
 * of Smdbltrp, so that the next trap is not a double trap. */
#include "device-firmware/arch/riscv/privilege.h"

        .section .text.riscv_probe_trap, "ax"
        .balign 4
        .globl riscv_probe_trap
riscv_probe_trap:
        csrr    t5, XEPC
        addi    t5, t5, 4
        csrw    XEPC, t5
        li      t5, 0
        XRET

        .section .note.GNU-stack, "", @progbits
