/* SPDX-License-Identifier: Apache-2.0
 *
 * Intel's i6300esb: two timers, one after the other, in units of about a millisecond. A write to
 * one of its registers takes effect after two words have unlocked it. */
#include "device-firmware/drivers/mmio.h"
#include "device-firmware/drivers/platform.h"

enum { CONFIGURATION = 0x30008000 }; /* of the PCI function 00:01.0 */
enum { COMMAND = 0x04, COMMAND_MEMORY = 2, BAR0 = 0x10, CONFIG = 0x60, LOCK = 0x68 };
enum { CONFIG_NO_INTERRUPT = 3, LOCK_ENABLE = 2 };
enum { TIMER1 = 0x00, TIMER2 = 0x04, RELOAD = 0x0c, RELOAD_NOW = 0x100 };

static const char *const names[] = {"rivulet,i6300esb", NULL};

static void write16(uintptr_t address, uint16_t value) {
    fence_before_write();
    *(volatile uint16_t *)address = value;
}

static void unlock(const device *d) {
    write16(d->base[0] + RELOAD, 0x80);
    write16(d->base[0] + RELOAD, 0x86);
}

static void kick(const device *d) {
    unlock(d);
    write16(d->base[0] + RELOAD, RELOAD_NOW);
}

static void start(const device *d, uint32_t milliseconds) {
    mmio_write32(CONFIGURATION + BAR0, (uint32_t)d->base[0]);
    write16(CONFIGURATION + COMMAND, COMMAND_MEMORY);
    write16(CONFIGURATION + CONFIG, CONFIG_NO_INTERRUPT);
    unlock(d);
    mmio_write32(d->base[0] + TIMER1, milliseconds / 2);
    unlock(d);
    mmio_write32(d->base[0] + TIMER2, milliseconds / 2);
    mmio_write8(CONFIGURATION + LOCK, LOCK_ENABLE);
    kick(d);
}

static const watchdog_driver i6300esb = {names, start, kick};

RIVULET_PLATFORM(watched_virt) = {.compatible = "rivulet,watched-virt", .watchdog = &i6300esb};
