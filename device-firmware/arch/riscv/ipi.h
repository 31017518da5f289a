/* SPDX-License-Identifier: Apache-2.0
 *
 * How harts interrupt each other. Only the implementation (ipi.c: a CLINT, an MSWI or IMSICs)
 * knows who delivers the interrupts. */
#ifndef RIVULET_FIRMWARE_IPI_H
#define RIVULET_FIRMWARE_IPI_H

#include <stdbool.h>

#include "arch_state.h"

/* The way to a hart as the device tree describes it. If the tree has none, `address` is 0. */
ipi_route ipi_route_by_tree(uint32_t hart_id);
/* The way to this hart, verified by raising the interrupt. If none works, `address` is 0. */
ipi_route ipi_own_route(uint32_t hart_id);
static inline bool ipi_is_there(const ipi_route *route) { return route->address != 0; }
static inline bool ipi_same_route(const ipi_route *a, const ipi_route *b) {
    return a->address == b->address;
}

/* Interrupts a hart, which may be this one. All earlier stores are visible to it then. Does nothing
 * if there is no route. */
void ipi_send(const ipi_route *);

/* These are for the hart that the route leads to. */
bool ipi_is_pending(const ipi_route *own);
/* What this hart reads afterwards was stored before the interrupts that are cleared, or later. */
void ipi_clear(const ipi_route *own);
uintptr_t ipi_enable_bits(const ipi_route *own); /* of XIE and XIP */

#endif
