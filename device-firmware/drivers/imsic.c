/* SPDX-License-Identifier: Apache-2.0
 *
 * RISC-V Advanced Interrupt Architecture 1.0, chapter 3: interrupts that reach a hart as
 * messages. Two identities are used: one of the board's doorbell, one of the other harts.
 *
 * A hart's page is at a number of pages after the first range of reg, which the boards' generator
 * computes from the index bits of guests, harts and groups. */
#include "device-firmware/drivers/drivers.h"
#include "device-firmware/drivers/mmio.h"

enum { PAGE_BITS = 12 };

/* M mode's: S mode's IMSICs have no wires that M mode could use. */
static const device *imsics(void) {
    for (size_t i = 0; i < board_device_count; ++i)
        if (board_devices[i].lines && device_is(&board_devices[i], "riscv,imsics"))
            return &board_devices[i];
    return NULL;
}

/* A hart that only a handed-over tree lists is expected in the first group, by its mhartid. */
static uintptr_t page_by_id(const device *d, uint32_t hart_id) {
    const uintptr_t offset = (uintptr_t)hart_id << (PAGE_BITS + d->guest_bits);
    return offset < d->bytes[0] ? d->base[0] + offset : 0;
}

uintptr_t imsic_page_by_id(uint32_t hart_id) {
    const device *d = imsics();
    return d ? page_by_id(d, hart_id) : 0;
}

uintptr_t imsic_page(uint32_t hart_id) {
    const device *d = imsics();
    if (!d)
        return 0;
    if (!device_has_line(d, hart_id, LINE_EXTERNAL))
        return page_by_id(d, hart_id);
    return d->base[0] + ((uintptr_t)device_line_index(d, hart_id, LINE_EXTERNAL) << PAGE_BITS);
}

static bool write_indirect(uintptr_t number, uintptr_t value) {
    return csr_try_write(XISELECT, number) && csr_try_write(XIREG, value);
}

bool imsic_is_there(void) { return csr_try_write(XISELECT, IMSIC_EIDELIVERY); }

void imsic_start_hart(void) {
    write_indirect(IMSIC_EITHRESHOLD, 0);
    write_indirect(IMSIC_EIE0, 1ul << IMSIC_BELL | 1ul << IMSIC_IPI);
    write_indirect(IMSIC_EIDELIVERY, IMSIC_DELIVERS);
}

/* 3.8.1: a hart with an IMSIC takes interrupts by wire only if it is told to; whether it can is
 * implementation-specific. */
void imsic_let_wires_through(void) { write_indirect(IMSIC_EIDELIVERY, IMSIC_WIRES_DELIVER); }

/* 3.10: reads the identity of the highest priority, and clears that one. Identities that earlier
 * software enabled vanish in the same way. */
uint32_t imsic_claim(void) { return (uint32_t)csr_exchange_number(XTOPEI, 0) >> 16; }

bool imsic_is_pending(uint32_t identity) {
    csr_write_number(XISELECT, IMSIC_EIP0);
    return csr_read_number(XIREG) >> identity & 1;
}

void imsic_clear(uint32_t identity) {
    csr_write_number(XISELECT, IMSIC_EIP0);
    csr_clear_number(XIREG, 1ul << identity);
}
