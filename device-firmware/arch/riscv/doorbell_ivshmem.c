/* SPDX-License-Identifier: Apache-2.0
 *
 * QEMU's ivshmem-doorbell on PCI: the host's bells are MSI-X messages, one vector per hart, to the
 * hart's IMSIC; ours is a store to a register. (PCI Local Bus 3.0; AIA 1.0 chapter 3; QEMU's
 * docs/specs/ivshmem-spec.) */
#include "board.h"

#ifdef BOARD_IMSIC_BASE
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/mmio.h"
#include "device-firmware/arch/riscv/riscv.h"

enum {
    IVSHMEM_ID = 0x11101af4,
    PCI_COMMAND = 0x04,
    PCI_COMMAND_MEMORY_AND_MASTER = 6,
    PCI_BARS = 0x10,
    PCI_CAPABILITIES = 0x34,
    CAPABILITY_MSIX = 0x11,
    MSIX_ENABLE = 0x8000,
    MSIX_ENTRY_BYTES = 16,
    IMSIC_PAGE_BYTES = 0x1000,
    IDENTITY = 1, /* of the interrupt, at the IMSIC */
    DOORBELL_REGISTER = 12,
    PCI_SLOTS = 32,
};

static uintptr_t find_function(void) {
    for (uintptr_t slot = 0; slot < PCI_SLOTS; ++slot) {
        uintptr_t config = BOARD_PCI_BASE + (slot << 15);
        if (mmio_read32(config) == IVSHMEM_ID)
            return config;
    }
    return 0;
}

static uintptr_t find_msix(uintptr_t config) {
    uint8_t at = mmio_read8(config + PCI_CAPABILITIES);
    while (at && mmio_read8(config + at) != CAPABILITY_MSIX)
        at = mmio_read8(config + at + 1);
    return at;
}

static void write_vectors(const firmware *f, uintptr_t table) {
    for (uint32_t i = 0; i < f->harts; ++i) {
        uint64_t page = BOARD_IMSIC_BASE + (uint64_t)f->hart[i].arch.id * IMSIC_PAGE_BYTES;
        uintptr_t entry = table + i * MSIX_ENTRY_BYTES;
        mmio_write32(entry, (uint32_t)page);
        mmio_write32(entry + 4, (uint32_t)(page >> 32));
        mmio_write32(entry + 8, IDENTITY);
        mmio_write32(entry + 12, 0); /* not masked */
    }
}

static bool start(firmware *f) {
    uintptr_t config = find_function();
    if (!config || !csr_try_write(MISELECT, IMSIC_EIDELIVERY))
        return false;
    uintptr_t msix = find_msix(config);
    if (!msix)
        return false;
    mmio_write32(config + PCI_BARS, BOARD_DOORBELL_BASE);
    mmio_write32(config + PCI_BARS + 4, BOARD_DOORBELL_BASE_1);
    mmio_write32(config + PCI_BARS + 8, BOARD_DOORBELL_BASE_2);
    mmio_write32(config + PCI_BARS + 12, 0); /* upper half of the third */
    mmio_write32(config + PCI_COMMAND, PCI_COMMAND_MEMORY_AND_MASTER);
    uint32_t table_offset = mmio_read32(config + msix + 4) & ~7u;
    write_vectors(f, BOARD_DOORBELL_BASE_1 + table_offset);
    mmio_write32(config + msix, mmio_read32(config + msix) | (uint32_t)MSIX_ENABLE << 16);
    return true;
}

static void write_indirect(uintptr_t number, uintptr_t value) {
    csr_write_number(MISELECT, number);
    csr_write_number(MIREG, value);
}

static void start_hart(hart *hart) {
    (void)hart;
    write_indirect(IMSIC_EIDELIVERY, 1);
    write_indirect(IMSIC_EITHRESHOLD, 0);
    write_indirect(IMSIC_EIE0, 1ul << IDENTITY);
}

/* The claim is output to a device, and the ring is read for bells that came before it: a bell that
 * comes after it interrupts once more. */
static void acknowledge(void) {
    csr_write_number(MTOPEI, 0);
    __asm__ volatile("fence io, rw" ::: "memory"); /* order: imsic.claim */
}

static void ring_host(void) { mmio_write32(BOARD_DOORBELL_BASE + DOORBELL_REGISTER, 0); }

const doorbell doorbell_ivshmem = {"ivshmem", start, start_hart, acknowledge, ring_host};
#endif
