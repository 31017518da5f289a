/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of the code at record.start (launch.h), on RISC-V. */
#ifndef RIVULET_PROTOCOL_LEAVE_KERNEL_H
#define RIVULET_PROTOCOL_LEAVE_KERNEL_H

#ifdef __riscv
/* gp is RVL_ECALL_EXIT on the device, where the ecall ends the launch. Under a loopback driver the
 * ecall is a system call that Linux doesn't know, and gp points to the address to go on at. */
static inline __attribute__((always_inline)) _Noreturn void rvl_leave_kernel(void) {
    __asm__ volatile("mv a7, gp\n\t"
                     "ecall"
#if __riscv_xlen == 64
                     "\n\tld a0, 0(gp)\n\t"
                     "jr a0"
#endif
    );
    __builtin_unreachable();
}
#endif

#endif
