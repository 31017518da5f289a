/* SPDX-License-Identifier: Apache-2.0
 *
 * Waits for the other harts, which start.S has called out of flash: each clears its MSIP once it
 * runs in RAM. The MSIP of a missing hart ignores writes and reads as 0. */
#include "board.h"
#include "device-firmware/boot/memory.h"
#include "device-firmware/boot/print.h"
#include "device-firmware/boot/slot.h"
#include "device-firmware/drivers/mmio.h"
#include "device-firmware/drivers/platform.h"

/* limits the wait if there is no clock */
enum { TIME = 0xc01, SECONDS = 2, MOST_LOOKS = 100000000 };

static uint32_t now(void) {
    uintptr_t ticks;
    const uintptr_t clock = platform_time();
    return csr_try_read(TIME, &ticks) ? (uint32_t)ticks : clock ? mmio_read32(clock) : 0;
}

static bool has_come(uint32_t hart) { return !(mmio_read32(BOARD_CLINT_BASE + 4 * hart) & 1); }

/* Waits as long as the firmware later waits for harts. One that comes later finds its way by
 * itself, unless the flash is being written at that moment. */
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
