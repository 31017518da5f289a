/* SPDX-License-Identifier: Apache-2.0
 *
 * The other harts, which start.S has called out of flash: each takes its interrupt back once it
 * runs in RAM. Harts that are not there ignore theirs, and it reads as 0. */
#include "board.h"
#include "device-firmware/boot/memory.h"
#include "device-firmware/boot/slot.h"
#include "device-firmware/drivers/mmio.h"
#include "device-firmware/drivers/platform.h"

enum { TIME = 0xc01, SECONDS = 2, MOST_LOOKS = 100000000 }; /* where there is no clock */

static uint32_t now(void) {
    uintptr_t ticks;
    const uintptr_t clock = platform_time();
    return csr_try_read(TIME, &ticks) ? (uint32_t)ticks : clock ? mmio_read32(clock) : 0;
}

static bool has_come(uint32_t hart) { return !(mmio_read32(BOARD_CLINT_BASE + 4 * hart) & 1); }

/* As long as the firmware waits for them. One that comes later finds the way by itself, unless the
 * flash is written just then. */
void wait_for_harts(void) {
    const uint32_t begin = now();
    uint32_t looks = 0;
    for (uint32_t hart = 0; hart < BOOT_MOST_HARTS;) {
        const bool late =
            now() - begin > SECONDS * (uint32_t)BOARD_TIMEBASE || ++looks > MOST_LOOKS;
        if (late && !has_come(hart))
            boot_print("hart %u has not come within 2 s", (unsigned)hart);
        if (late || has_come(hart))
            ++hart;
    }
}
