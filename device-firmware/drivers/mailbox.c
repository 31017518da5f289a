/* SPDX-License-Identifier: Apache-2.0
 *
 * Mailboxes as doorbells. Of a mailbox only its interrupts are used, and nearly all are alike in
 * that: a value written to one register raises the other side's, a value written to another takes
 * our own back. The tree says which:
 *   compatible = "rivulet,mmio-doorbell"; rivulet,ring = <OFFSET VALUE>;
 *   rivulet,acknowledge = <OFFSET VALUE>; */
#include "device-firmware/drivers/drivers.h"
#include "device-firmware/drivers/mmio.h"

static const char *const names[] = {"rivulet,mmio-doorbell", NULL};

static void acknowledge(const device *d) {
    mmio_write32(d->base[0] + d->acknowledge[0], d->acknowledge[1]);
    (void)mmio_read32(d->base[0] + d->acknowledge[0]); /* it has arrived before the ring is read */
}

/* One that came before us is of no interest: the ring is looked at in any case. */
static void start(const device *d) { acknowledge(d); }

static void ring(const device *d) { mmio_write32(d->base[0] + d->ring[0], d->ring[1]); }

const bell_driver mailbox_bell = {names, start, acknowledge, ring};
