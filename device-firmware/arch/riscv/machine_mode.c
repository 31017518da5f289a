/* SPDX-License-Identifier: Apache-2.0
 *
 * State of a hart that only M mode can see, on boards where the firmware runs in M mode. */
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/drivers/platform.h"

#ifndef BOARD_SUPERVISOR
/* A boot loader, a debugger or an earlier run of this firmware may have left any state behind,
 * so everything that can affect kernels is set here. start.S sets mstatus and mie. */
void riscv_sanitise_hart(void) {
    csr_try_write(MNSTATUS, MNSTATUS_NMIE); /* otherwise traps would be fatal */
    csr_try_write(MEDELEG, 0);
    csr_try_write(MIDELEG, 0);
    csr_try_write(SATP, 0);
    csr_try_write(STIMECMP, -1ul);
    csr_try_write(MSECCFG, 0);
    csr_try_write(MSTATEEN0, 0);
    csr_write(mip, 0);
    for (uintptr_t trigger = 0, now; trigger < 64; ++trigger) {
        if (!csr_try_write(TSELECT, trigger) || !csr_try_read(TSELECT, &now) || now != trigger)
            break;
        csr_try_write(TDATA1, 0);
    }
#if __riscv_xlen == 64
    csr_write(mstatus, (csr_read(mstatus) & ~MSTATUS_XL) | MSTATUS_XL_64); /* 64-bit U mode */
#endif
    csr_set(mstatus, MSTATUS_TW); /* a wfi in U mode would block the hart */
}

/* Enables cycle, time and instret for kernels, and those cache-block operations that cannot harm
 * the device. */
void riscv_prepare_user_mode(void) {
    csr_try_write(0x320, 0); /* mcountinhibit */
    csr_try_write(0x306, 7); /* mcounteren    */
    csr_try_write(0x106, 7); /* scounteren    */
    csr_try_write(MENVCFG, ENVCFG_CBCFE | ENVCFG_CBZE);
    csr_try_write(SENVCFG, ENVCFG_CBCFE | ENVCFG_CBZE);
}

uintptr_t riscv_isa_register(void) { return csr_read(misa); }

void riscv_suspend_hart(void) {
    if (platform_row()->suspend_hart)
        platform_row()->suspend_hart();
    else
        __asm__ volatile("wfi" ::: "memory");
}

/* All harts enter by themselves. */
void riscv_start_other_harts(const firmware *f) { (void)f; }
#endif
