/* SPDX-License-Identifier: Apache-2.0
 *
 * DesignWare's watchdog, which can't be stopped once started. Its timeout is 2^(16 + n) clocks. */
#include "device-firmware/drivers/drivers.h"
#include "device-firmware/drivers/mmio.h"

enum {
    CONTROL = 0x00,
    CONTROL_ENABLE = 1, /* response mode 0: reset without a prior interrupt */
    TIMEOUT = 0x04,
    RESTART = 0x0c,
    RESTART_KEY = 0x76,
    MOST_TIMEOUT = 15,
    USUAL_CLOCK = 50000000, /* used if the tree has no clock-frequency */
};

static const char *const names[] = {"snps,dw-wdt", NULL};

static void kick(const device *d) { mmio_write32(d->base[0] + RESTART, RESTART_KEY); }

static void start(const device *d, uint32_t milliseconds) {
    const uint64_t clocks = (uint64_t)(d->clock ? d->clock : USUAL_CLOCK) * milliseconds / 1000;
    uint32_t n = 0;
    while (n < MOST_TIMEOUT && (UINT64_C(1) << (16 + n)) < clocks)
        ++n;
    mmio_write32(d->base[0] + TIMEOUT, n << 4 | n); /* initial timeout, and the one after each
                                                     * kick */
    mmio_write32(d->base[0] + CONTROL, CONTROL_ENABLE);
    kick(d);
}

const watchdog_driver dw_watchdog = {names, start, kick};
