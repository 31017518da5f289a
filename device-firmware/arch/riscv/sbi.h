/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of the RISC-V Supervisor Binary Interface 1.0 or later, for boards where other software
 * owns M mode. */
#ifndef RIVULET_FIRMWARE_SBI_H
#define RIVULET_FIRMWARE_SBI_H

#include <stdbool.h>
#include <stdint.h>

enum { SBI_SUCCESS = 0, SBI_ERR_ALREADY_AVAILABLE = -6 };

typedef enum sbi_extension {
    SBI_BASE = 0x10,
    SBI_TIME = 0x54494d45,
    SBI_IPI = 0x735049,
    SBI_HSM = 0x48534d,    /* hart state management */
    SBI_SRST = 0x53525354, /* system reset */
} sbi_extension;

bool sbi_has(sbi_extension);
uintptr_t sbi_vendor_id(void); /* mvendorid; 0: unknown */
intptr_t sbi_set_timer(uint64_t time);
intptr_t sbi_send_ipi(uint32_t hart_id);
/* The hart enters at that address, in S mode without address translation, with its id in a0. */
intptr_t sbi_hart_start(uint32_t hart_id, uintptr_t address);
/* Returns after an interrupt; only types that keep the hart's state. */
intptr_t sbi_hart_suspend(uint32_t type);
void sbi_system_reset(void); /* returns if the SBI can't or doesn't let this software do it */

#endif
