/* SPDX-License-Identifier: Apache-2.0
 *
 * SiFive's test finisher, also emulated by QEMU's machines. */
#include "device-firmware/drivers/drivers.h"
#include "device-firmware/drivers/mmio.h"

enum { FINISHER_RESET = 0x7777 };

static const char *const names[] = {"sifive,test1", "sifive,test0", NULL};

static void reset(const device *d) { mmio_write32(d->base[0], FINISHER_RESET); }

const reset_driver test_finisher = {names, reset};
