/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of what is done under firmware.lock, which arch_lock_take takes. */
#ifndef RIVULET_FIRMWARE_LOCK_H
#define RIVULET_FIRMWARE_LOCK_H

#include "device-firmware/core/firmware.h"

/* Releases the lock, and rings the host if there is news for it. */
void firmware_unlock(firmware *);
/* Lets other harts take the lock for a moment. */
void firmware_yield_lock(firmware *);

#endif
