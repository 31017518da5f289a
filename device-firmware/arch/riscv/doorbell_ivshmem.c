/* SPDX-License-Identifier: Apache-2.0
 *
 * QEMU's ivshmem-doorbell on PCI: the host's bells are MSI-X messages, one vector per hart, to the
 * hart's IMSIC; the device rings the host by storing to a register. (PCI Local Bus 3.0; AIA 1.0
 * chapter 3; QEMU's docs/specs/ivshmem-spec.) */
#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/mmio.h"
#include "device-firmware/arch/riscv/riscv.h"
#include "device-firmware/drivers/drivers.h"

enum {
    IVSHMEM_ID = 0x11101af4,
    PCI_COMMAND = 0x04,
    PCI_COMMAND_MEMORY_AND_MASTER = 6,
    PCI_BARS = 0x10,
    PCI_CAPABILITIES = 0x34,
    CAPABILITY_MSIX = 0x11,
    MSIX_ENABLE = 0x8000,
    MSIX_ENTRY_BYTES = 16,
    DOORBELL_REGISTER = 12,
    PCI_SLOTS = 32,
};

static const device *find_device(const char *name) {
    for (size_t i = 0; i < board_device_count; ++i)
        if (device_is(&board_devices[i], name))
            return &board_devices[i];
    return NULL;
}

static uintptr_t find_function(const device *pci) {
    for (uintptr_t slot = 0; slot < PCI_SLOTS; ++slot) {
        uintptr_t config = pci->base[0] + (slot << 15);
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
        uint64_t page = imsic_page(f->hart[i].id);
        uintptr_t entry = table + i * MSIX_ENTRY_BYTES;
        mmio_write32(entry, (uint32_t)page);
        mmio_write32(entry + 4, (uint32_t)(page >> 32));
        mmio_write32(entry + 8, IMSIC_BELL);
        mmio_write32(entry + 12, 0); /* unmasked */
    }
}

/* Address of the function's registers, once its BAR has been mapped. */
static uintptr_t registers;

static bool start(firmware *f) {
    const device *pci = find_device("pci-host-ecam-generic");
    const device *window = find_device("rivulet,ivshmem-doorbell");
    if (!pci || !window || !imsic_page(f->hart[0].id))
        return false;
    uintptr_t config = find_function(pci);
    if (!config || !imsic_is_there())
        return false;
    uintptr_t msix = find_msix(config);
    if (!msix)
        return false;
    mmio_write32(config + PCI_BARS, (uint32_t)window->base[0]);
    mmio_write32(config + PCI_BARS + 4, (uint32_t)window->base[1]);
    mmio_write32(config + PCI_BARS + 8, (uint32_t)window->base[2]);
    mmio_write32(config + PCI_BARS + 12, 0); /* upper half of the 64-bit BAR */
    mmio_write32(config + PCI_COMMAND, PCI_COMMAND_MEMORY_AND_MASTER);
    uint32_t table_offset = mmio_read32(config + msix + 4) & ~7u;
    write_vectors(f, window->base[1] + table_offset);
    registers = window->base[0];
    mmio_write32(config + msix, mmio_read32(config + msix) | (uint32_t)MSIX_ENABLE << 16);
    return true;
}

static void acknowledge(void) {} /* the message has been claimed */

static void ring_host(void) { mmio_write32(registers + DOORBELL_REGISTER, 0); }

const doorbell doorbell_ivshmem = {"ivshmem",   start,     riscv_take_messages,
                                   acknowledge, ring_host, false};
