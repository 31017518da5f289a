/* SPDX-License-Identifier: Apache-2.0
 *
 * RISC-V Platform-Level Interrupt Controller Specification 1.0.0. A line is a context number,
 * given by the tree's interrupts-extended. */
#include "device-firmware/drivers/drivers.h"
#include "device-firmware/drivers/mmio.h"

enum {
    PRIORITY = 0x0,
    ENABLE = 0x2000,
    ENABLE_STRIDE = 0x80,
    CONTEXT = 0x200000,
    CONTEXT_STRIDE = 0x1000,
    THRESHOLD = 0,
    CLAIM = 4,
    SOURCES = 1024,
};

static const char *const names[] = {
#define RIVULET_PLIC(name) name,
#include "device-firmware/drivers/match/plic.def"
    NULL};

static uintptr_t context(const device *d, uint32_t line) {
    return d->base[0] + CONTEXT + line * (uintptr_t)CONTEXT_STRIDE;
}

/* Disables all sources first: any that earlier software enabled for this context would interrupt
 * forever. */
static bool start(const device *d, uint32_t line, uint32_t source) {
    const uintptr_t enable = d->base[0] + ENABLE + line * (uintptr_t)ENABLE_STRIDE;
    for (uint32_t word = 0; word < SOURCES / 32; ++word)
        mmio_write32(enable + 4 * word, word == source / 32 ? 1u << source % 32 : 0);
    mmio_write32(d->base[0] + PRIORITY + 4 * source, 1);
    mmio_write32(context(d, line) + THRESHOLD, 0);
    return true;
}

static bool claim(const device *d, uint32_t line) {
    return mmio_read32(context(d, line) + CLAIM) != 0;
}

static void complete(const device *d, uint32_t line, uint32_t source) {
    mmio_write32(context(d, line) + CLAIM, source);
}

const interrupt_controller plic = {names, false, start, claim, complete};
