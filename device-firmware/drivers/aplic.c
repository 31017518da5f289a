/* SPDX-License-Identifier: Apache-2.0
 *
 * RISC-V Advanced Interrupt Architecture 1.0, chapter 4: an APLIC that interrupts harts itself
 * ("direct delivery"). A line is the index of the hart's IDC structure. */
#include "device-firmware/drivers/drivers.h"
#include "device-firmware/drivers/mmio.h"

enum {
    DOMAINCFG = 0x0000,
    DOMAINCFG_IE = 1 << 8, /* DM = 0: direct */
    SOURCECFG = 0x0000,    /* + 4 × source */
    SOURCECFG_LEVEL_HIGH = 6,
    CLRIE = 0x1f00, /* + 4 × word */
    SETIENUM = 0x1edc,
    TARGET = 0x3000, /* + 4 × source */
    TARGET_HART_SHIFT = 18,
    IDC = 0x4000,
    IDC_STRIDE = 32,
    IDC_IDELIVERY = 0x00,
    IDC_ITHRESHOLD = 0x08,
    IDC_CLAIMI = 0x1c,
    CLAIMI_IDENTITY_SHIFT = 16,
    CLAIMI_IDENTITY = 0x3ff,
    SOURCES = 1024,
};

static const char *const names[] = {"riscv,aplic", NULL};

static uintptr_t idc(const device *d, uint32_t line) {
    return d->base[0] + IDC + line * (uintptr_t)IDC_STRIDE;
}

static void start(const device *d, uint32_t line, uint32_t source) {
    const uintptr_t base = d->base[0];
    mmio_write32(base + DOMAINCFG, 0);
    for (uint32_t word = 0; word < SOURCES / 32; ++word)
        mmio_write32(base + CLRIE + 4 * word, UINT32_MAX);
    mmio_write32(base + SOURCECFG + 4 * source, SOURCECFG_LEVEL_HIGH);
    mmio_write32(base + TARGET + 4 * source, line << TARGET_HART_SHIFT | 1); /* priority 1 */
    mmio_write32(base + SETIENUM, source);
    mmio_write32(idc(d, line) + IDC_ITHRESHOLD, 0); /* all priorities */
    mmio_write32(idc(d, line) + IDC_IDELIVERY, 1);
    mmio_write32(base + DOMAINCFG, DOMAINCFG_IE);
}

static uint32_t claim(const device *d, uint32_t line) {
    return mmio_read32(idc(d, line) + IDC_CLAIMI) >> CLAIMI_IDENTITY_SHIFT & CLAIMI_IDENTITY;
}

/* A level is pending for as long as it is high: there is nothing to complete. */
static void complete(const device *d, uint32_t line, uint32_t source) {
    (void)d;
    (void)line;
    (void)source;
}

const interrupt_controller aplic = {names, start, claim, complete};
