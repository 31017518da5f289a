/* SPDX-License-Identifier: Apache-2.0
 *
 * A model of a state that saves more power than wfi: it is wfi, but counts. starts_test.py reads
 * the counts. */
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/drivers/platform.h"

enum { HARTS = 4 };

typedef struct suspensions {
    uint32_t begun, ended;
    uint32_t rung; /* ended by the doorbell's interrupt */
    uint32_t idle; /* ticks that the hart had waited before the first one */
} suspensions;

volatile suspensions suspensions_of[HARTS]; /* by mhartid, which here is the index */

static void suspend_hart(void) {
    const uint32_t hart = riscv_hart_id();
    firmware_assert(riscv_firmware(), hart < HARTS);
    volatile suspensions *own = &suspensions_of[hart];
    if (!own->begun)
        own->idle = (uint32_t)riscv_firmware()->shared->statistics[hart].idle;
    ++own->begun;
    __asm__ volatile("wfi" ::: "memory");
    if (csr_read(XIP) & XIP_EXTERNAL)
        ++own->rung;
    ++own->ended;
}

RIVULET_PLATFORM(suspending_virt) = {.compatible = "rivulet,suspending-virt",
                                     .suspend_hart = suspend_hart};
