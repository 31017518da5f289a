/* SPDX-License-Identifier: Apache-2.0
 *
 * RISC-V Advanced Interrupt Architecture 1.0, chapter 4: an APLIC that interrupts harts directly
 * ("direct delivery"; a line is the index of the hart's IDC structure), or by messages to their
 * IMSICs ("MSI delivery"; a line is a hart id). Many can do only one of them. */
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
    MSIADDRCFGH_LHXW = 12, /* 4 bits: of a hart index that are the hart in its group */
    MSIADDRCFGH_HHXW = 16, /* 3 bits: of a hart index that are the group */
    MSIADDRCFGH_LHXS = 20, /* 3 bits: where the hart is in a page number */
    MSIADDRCFGH_HHXS = 24, /* 5 bits: where the group is in it, less 12 */
    CLRIE = 0x1f00,        /* + 4 × word */
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

static bool delivers(uintptr_t base, uint32_t mode) {
    mmio_write32(base + DOMAINCFG, mode);
    return (mmio_read32(base + DOMAINCFG) & DOMAINCFG_MSI) == mode;
}

static void switch_off(uintptr_t base, uint32_t source) {
    for (uint32_t word = 0; word < SOURCES / 32; ++word)
        mmio_write32(base + CLRIE + 4 * word, UINT32_MAX);
    mmio_write32(base + SOURCECFG + 4 * source, SOURCECFG_LEVEL_HIGH);
}

static bool start(const device *d, uint32_t line, uint32_t source) {
    const uintptr_t base = d->base[0];
    if (!d->lines || !delivers(base, 0))
        return false;
    switch_off(base, source);
    mmio_write32(base + TARGET + 4 * source, line << TARGET_HART_SHIFT | 1); /* priority 1 */
    mmio_write32(base + SETIENUM, source);
    mmio_write32(idc(d, line) + IDC_ITHRESHOLD, 0); /* all priorities */
    mmio_write32(idc(d, line) + IDC_IDELIVERY, 1);
    mmio_write32(base + DOMAINCFG, DOMAINCFG_IE);
    return true;
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

const interrupt_controller aplic = {names, false, start, claim, complete};

static uint32_t field(uint32_t value, uint32_t shift, uint32_t bits) {
    return value >> shift & ((1u << bits) - 1);
}

/* 4.9.1: the hart index with which the APLIC, as it is configured, sends to this page; -1: it
 * can't.
 */
static int32_t index_of_page(uintptr_t base, uint64_t page) {
    const uint32_t high = mmio_read32(base + MMSIADDRCFGH);
    const uint64_t first =
        (uint64_t)(high & MSIADDRCFGH_PAGE) << 32 | mmio_read32(base + MMSIADDRCFG);
    const uint32_t hart_bits = field(high, MSIADDRCFGH_LHXW, 4);
    const uint32_t hart_shift = field(high, MSIADDRCFGH_LHXS, 3);
    const uint32_t group_bits = field(high, MSIADDRCFGH_HHXW, 3);
    const uint32_t group_shift = field(high, MSIADDRCFGH_HHXS, 5) + 12;
    const uint64_t hart = page >> hart_shift & ((UINT64_C(1) << hart_bits) - 1);
    const uint64_t group = page >> group_shift & ((UINT64_C(1) << group_bits) - 1);
    const bool reaches = (first | hart << hart_shift | group << group_shift) == page;
    return reaches ? (int32_t)(group << hart_bits | hart) : -1;
}

/* This hart's page becomes the base, so that its index is 0. Earlier software may have locked these
 * registers (4.5.3). */
static bool start_msi(const device *d, uint32_t hart_id, uint32_t source) {
    const uintptr_t base = d->base[0];
    const uint64_t page = (uint64_t)imsic_page(hart_id) >> 12;
    if (!d->sends_messages || !page || !delivers(base, DOMAINCFG_MSI))
        return false;
    switch_off(base, source);
    mmio_write32(base + MMSIADDRCFG, (uint32_t)page);
    mmio_write32(base + MMSIADDRCFGH, (uint32_t)(page >> 32) & MSIADDRCFGH_PAGE);
    const int32_t hart = index_of_page(base, page);
    if (hart < 0)
        return false;
    mmio_write32(base + TARGET + 4 * source, (uint32_t)hart << TARGET_HART_SHIFT | IMSIC_BELL);
    mmio_write32(base + DOMAINCFG, DOMAINCFG_IE | DOMAINCFG_MSI);
    mmio_write32(base + SETIENUM, source);
    return true;
}

/* The message has been claimed from the IMSIC. The APLIC does not know whether there was one; a
 * spurious one does no harm. */
static bool claim_msi(const device *d, uint32_t line) {
    (void)d;
    (void)line;
    return true;
}

/* 4.9.2: a level that is still high sends no further message unless asked to. */
static void complete_msi(const device *d, uint32_t line, uint32_t source) {
    (void)line;
    mmio_write32(d->base[0] + SETIPNUM_LE, source);
}

const interrupt_controller aplic_msi = {names, true, start_msi, claim_msi, complete_msi};
