/* SPDX-License-Identifier: Apache-2.0
 *
 * T-Head's C908: caches and predictors are off after reset and are enabled through vendor CSRs.
 * CSR numbers and bits are from the C908 user manual; the values are those that public operating
 * systems use for the K230's big core. This has never run on hardware. */
#include "device-firmware/drivers/mmio.h"
#include "device-firmware/drivers/platform.h"

enum {
    MXSTATUS = 0x7c0,
    MXSTATUS_STANDARD = 0x438000, /* misaligned accesses, standard page attributes, own opcodes */
    MHCR = 0x7c1,
    MHCR_DATA_CACHE = 1 << 1,
    MHCR_ALL = 0x11ff, /* both caches, write back, return stack, branch prediction */
    MCOR = 0x7c2,
    MCOR_INVALIDATE = 0x70013, /* both caches, both predictors */
    MCCR2 = 0x7c3,
    MCCR2_BIG_CORE = 0xe0410009, /* latencies and prefetch of the second-level cache */
    MHINT = 0x7c5,
    MHINT_BIG_CORE = 0x16e30c, /* prefetch of data and instructions */
    MSMPR = 0x7f3,
    MSMPR_SNOOP = 1,
};

/* If the data cache is already on, it holds what a loader wrote, and invalidating it would lose
 * that. The hint registers must be written before MHCR, according to the manual. */
static void hart_init(void) {
    uintptr_t control = 0;
    if (!csr_try_read(MHCR, &control))
        return; /* another vendor's hart, or a model */
    csr_try_write(MXSTATUS, MXSTATUS_STANDARD);
    if (!(control & MHCR_DATA_CACHE))
        csr_try_write(MCOR, MCOR_INVALIDATE);
    csr_try_write(MSMPR, MSMPR_SNOOP);
    csr_try_write(MCCR2, (uintptr_t)MCCR2_BIG_CORE);
    csr_try_write(MHINT, MHINT_BIG_CORE);
    csr_try_write(MHCR, MHCR_ALL);
}

RIVULET_PLATFORM(k230) = {.compatible = "canaan,kendryte-k230", .hart_init = hart_init};
