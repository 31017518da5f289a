/* SPDX-License-Identifier: Apache-2.0
 *
 * firmware.lock. */
#ifndef RIVULET_FIRMWARE_LOCK_H
#define RIVULET_FIRMWARE_LOCK_H

#include "device-firmware/core/arch.h"
#include "device-firmware/core/atomic.h"

/* What is done under the lock may change anything. */
static inline void firmware_lock(firmware *f) {
    arch_lock_take(&f->lock);
    store_relaxed(&f->unattended, 0);
}
/* Releases the lock, and rings the host if there is news for it. */
void firmware_unlock(firmware *);
/* Lets other harts take the lock for a moment. */
void firmware_yield_lock(firmware *);

#endif
