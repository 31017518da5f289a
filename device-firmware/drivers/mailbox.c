/* SPDX-License-Identifier: Apache-2.0
 *
 * Hardware mailboxes as doorbells. Only their interrupts are used, and nearly all mailboxes work
 * alike in that respect: writing a value to one register raises the other side's interrupt, writing
 * a value to another clears our own. The device tree specifies both:
 *   compatible = "rivulet,mmio-doorbell"; rivulet,ring = <OFFSET VALUE>;
 *   rivulet,acknowledge = <OFFSET VALUE>; */
#include "device-firmware/drivers/drivers.h"
#include "device-firmware/drivers/mmio.h"

static const char *const names[] = {"rivulet,mmio-doorbell", NULL};

static void acknowledge(const device *d) {
    mmio_write32(d->base[0] + d->acknowledge[0], d->acknowledge[1]);
    (void)mmio_read32(d->base[0] + d->acknowledge[0]); /* completes before the ring is read */
}

/* Earlier doorbells can be discarded, because the ring is read in any case. */
static void start(const device *d) { acknowledge(d); }

static void ring(const device *d) { mmio_write32(d->base[0] + d->ring[0], d->ring[1]); }

const bell_driver mailbox_bell = {names, start, acknowledge, ring};
