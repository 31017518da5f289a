/* SPDX-License-Identifier: Apache-2.0
 *
 * RISC-V Advanced Interrupt Architecture 1.0, chapter 3: interrupts that reach a hart as
 * messages. Only one identity is used, for the board's doorbell. */
#include "device-firmware/drivers/drivers.h"
#include "device-firmware/drivers/mmio.h"

uintptr_t imsic_page(uint32_t hart_id) {
    enum { PAGE_BYTES = 0x1000 };
    for (size_t i = 0; i < board_device_count; ++i)
        if (device_is(&board_devices[i], "riscv,imsics"))
            return board_devices[i].base[0] + imsic_index(hart_id) * (uintptr_t)PAGE_BYTES;
    return 0;
}

uint32_t imsic_index(uint32_t hart_id) {
    for (size_t i = 0; i < board_device_count; ++i)
        if (device_is(&board_devices[i], "riscv,imsics"))
            return device_line_index(&board_devices[i], hart_id, LINE_EXTERNAL);
    return hart_id;
}

bool imsic_is_there(void) { return csr_try_write(MISELECT, IMSIC_EIDELIVERY); }

static void write_indirect(uintptr_t number, uintptr_t value) {
    (void)csr_try_write(MISELECT, number);
    (void)csr_try_write(MIREG, value);
}

void imsic_start_hart(void) {
    write_indirect(IMSIC_EIDELIVERY, 1);
    write_indirect(IMSIC_EITHRESHOLD, 0);
    write_indirect(IMSIC_EIE0, 1ul << IMSIC_IDENTITY);
}

/* Only one identity is enabled, so the claim can't return any other. */
void imsic_claim(void) { (void)csr_try_write(MTOPEI, 0); }
