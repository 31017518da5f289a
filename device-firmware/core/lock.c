/* SPDX-License-Identifier: Apache-2.0 */
#include "device-firmware/core/lock.h"

void firmware_unlock(firmware *f) {
    bool ring = f->ring_host;
    f->ring_host = false;
    arch_lock_release(&f->lock);
    if (ring)
        arch_ring_host(f);
}

void firmware_yield_lock(firmware *f) {
    firmware_unlock(f);
    firmware_lock(f);
}
