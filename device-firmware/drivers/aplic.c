/* SPDX-License-Identifier: Apache-2.0
 *
 * RISC-V Advanced Interrupt Architecture 1.0, chapter 4: an APLIC that interrupts harts directly
 * ("direct delivery"; a line is the index of the hart's IDC structure), or, if the tree has no
 * wires from it to harts, by messages to their IMSICs (a line is a hart id). */
#include "device-firmware/drivers/drivers.h"
#include "device-firmware/drivers/mmio.h"

enum {
    DOMAINCFG = 0x0000,
    DOMAINCFG_IE = 1 << 8,
    DOMAINCFG_MSI = 1 << 2, /* otherwise direct */
    SOURCECFG = 0x0000,     /* + 4 × source */
    SOURCECFG_LEVEL_HIGH = 6,
    MMSIADDRCFG = 0x1bc0, /* page number of hart 0's IMSIC */
    MMSIADDRCFGH = 0x1bc4,
    MSIADDRCFGH_PAGE = 0xfff,
    CLRIE = 0x1f00, /* + 4 × word */
    SETIPNUM_LE = 0x2000,
    SETIENUM = 0x1edc,
    TARGET = 0x3000, /* + 4 × source */
    TARGET_HART_SHIFT = 18,
    IDC = 0x4000,
    IDC_STRIDE = 32,
    IDC_IDELIVERY = 0x00,
    IDC_ITHRESHOLD = 0x08,
    IDC_TOPI = 0x18,
    IDC_CLAIMI = 0x1c,
    CLAIMI_IDENTITY_SHIFT = 16,
    CLAIMI_IDENTITY = 0x3ff,
    SOURCES = 1024,
};

static const char *const names[] = {"riscv,aplic", NULL};

static uintptr_t idc(const device *d, uint32_t line) {
    return d->base[0] + IDC + line * (uintptr_t)IDC_STRIDE;
}

static void switch_off(uintptr_t base, uint32_t source) {
    mmio_write32(base + DOMAINCFG, 0);
    for (uint32_t word = 0; word < SOURCES / 32; ++word)
        mmio_write32(base + CLRIE + 4 * word, UINT32_MAX);
    mmio_write32(base + SOURCECFG + 4 * source, SOURCECFG_LEVEL_HIGH);
}

static void start(const device *d, uint32_t line, uint32_t source) {
    const uintptr_t base = d->base[0];
    switch_off(base, source);
    mmio_write32(base + TARGET + 4 * source, line << TARGET_HART_SHIFT | 1); /* priority 1 */
    mmio_write32(base + SETIENUM, source);
    mmio_write32(idc(d, line) + IDC_ITHRESHOLD, 0); /* all priorities */
    mmio_write32(idc(d, line) + IDC_IDELIVERY, 1);
    mmio_write32(base + DOMAINCFG, DOMAINCFG_IE);
}

static bool claim(const device *d, uint32_t line) {
    return (mmio_read32(idc(d, line) + IDC_TOPI) >> CLAIMI_IDENTITY_SHIFT & CLAIMI_IDENTITY) != 0;
}

/* Called after the device has deasserted its level. Claiming before that would leave QEMU's
 * APLIC pending and interrupt once more; claiming later keeps it pending while the level is
 * high. */
static void complete(const device *d, uint32_t line, uint32_t source) {
    (void)source;
    (void)mmio_read32(idc(d, line) + IDC_CLAIMI);
}

const interrupt_controller aplic = {names, start, NULL, claim, complete};

/* This hart's page becomes the base, so that its index is 0. If earlier software has locked
 * these registers (4.5.3), the index is the hart's position among the harts' pages. */
static void start_msi(const device *d, uint32_t hart_id, uint32_t source) {
    const uintptr_t base = d->base[0];
    const uint64_t page = (uint64_t)imsic_page(hart_id) >> 12;
    switch_off(base, source);
    mmio_write32(base + MMSIADDRCFG, (uint32_t)page);
    mmio_write32(base + MMSIADDRCFGH, (uint32_t)(page >> 32) & MSIADDRCFGH_PAGE);
    const bool ours = mmio_read32(base + MMSIADDRCFG) == (uint32_t)page;
    const uint32_t hart = ours ? 0 : imsic_index(hart_id);
    mmio_write32(base + TARGET + 4 * source, hart << TARGET_HART_SHIFT | IMSIC_IDENTITY);
    mmio_write32(base + DOMAINCFG, DOMAINCFG_IE | DOMAINCFG_MSI);
    mmio_write32(base + SETIENUM, source);
}

static bool claim_msi(const device *d, uint32_t line) {
    (void)d;
    (void)line;
    imsic_claim();
    return true; /* the APLIC does not know; a spurious message does no harm */
}

/* 4.9.2: a level that is still high sends no further message unless asked to. */
static void complete_msi(const device *d, uint32_t line, uint32_t source) {
    (void)line;
    mmio_write32(d->base[0] + SETIPNUM_LE, source);
}

const interrupt_controller aplic_msi = {names, start_msi, imsic_start_hart, claim_msi,
                                        complete_msi};
