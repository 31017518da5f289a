/* SPDX-License-Identifier: Apache-2.0
 *
 * Inter-hart interrupts: by registers of a CLINT or of an ACLINT's MSWI, where 1 raises a hart's
 * software interrupt and 0 ends it, or else by messages to the harts' IMSICs. */
#include "device-firmware/arch/riscv/ipi.h"

#include "device-firmware/arch/riscv/csr.h"
#include "device-firmware/arch/riscv/mmio.h"
#include "device-firmware/core/arch.h"
#include "device-firmware/core/seldom.h"
#include "device-firmware/drivers/platform.h"

#ifndef BOARD_SUPERVISOR
SELDOM ipi_route ipi_route_by_tree(uint32_t hart_id) {
    const uintptr_t software_interrupt = platform_software_interrupt(hart_id);
    if (software_interrupt)
        return (ipi_route){software_interrupt, false};
    const uintptr_t page = imsic_page(hart_id);
    return (ipi_route){page, page != 0};
}

void ipi_send(const ipi_route *route) {
    if (route->address)
        mmio_write32(route->address, route->by_message ? IMSIC_IPI : 1);
}

bool ipi_is_pending(const ipi_route *own) {
    return own->by_message ? imsic_is_pending(IMSIC_IPI) : (csr_read(mip) & XIP_SOFTWARE) != 0;
}

void ipi_clear(const ipi_route *own) {
    if (!own->address)
        return;
    if (own->by_message) {
        imsic_clear(IMSIC_IPI);
        __asm__ volatile("fence io, rw" ::: "memory");
        return;
    }
    mmio_write32(own->address, 0);
    (void)mmio_read32(own->address); /* the read returns after the write has arrived, and what
                                      * follows sees what a sender wrote */
}

uintptr_t ipi_enable_bits(const ipi_route *own) {
    return own->by_message ? XIP_EXTERNAL : XIP_SOFTWARE;
}

SELDOM static bool becomes_pending(const ipi_route *route, bool wanted) {
    enum { LOOKS = 200 }; /* the signal takes time to travel from the register to the hart */
    for (uint32_t look = 0; look < LOOKS; ++look)
        if (ipi_is_pending(route) == wanted)
            return true;
    return false;
}

/* True if sending raises this hart's interrupt and clearing ends it. Another hart's register is
 * left set: its owner may be waiting for it, and a spurious wakeup does no harm. */
static bool is_own(const ipi_route *route) {
    enum { TRIES = 8 }; /* other harts may write to it concurrently */
    for (uint32_t try = 0; try < TRIES; ++try) {
        ipi_send(route);
        if (!becomes_pending(route, true))
            return false;
        ipi_clear(route);
        if (becomes_pending(route, false))
            return true;
        ipi_send(route);
        arch_pause();
    }
    return false;
}

/* Device trees disagree on the order of registers when they leave out harts, so try both. */
SELDOM ipi_route ipi_own_route(uint32_t hart_id) {
    const ipi_route routes[] = {{platform_software_interrupt(hart_id), false},
                                {clint_software_interrupt_by_id(hart_id), false},
                                {imsic_page(hart_id), true},
                                {imsic_page_by_id(hart_id), true}};
    for (size_t i = 0; i < sizeof routes / sizeof *routes; ++i) {
        if (!ipi_is_there(&routes[i]) || (routes[i].by_message && !imsic_is_there()))
            continue;
        if (routes[i].by_message)
            imsic_start_hart();
        if (is_own(&routes[i]))
            return routes[i];
    }
    return (ipi_route){0};
}
#endif
